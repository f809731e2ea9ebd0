namespace PlayChat.Core.Connections;

/// <summary>Logs frames that break the protocol, within the bounds of a <see cref="PeerLogLimit"/>. Thread-safe.</summary>
/// <remarks>Every one of them is counted in <c>playchat.protocol.violations</c>.</remarks>
internal sealed class BadFrameLog(ILogger logger, TimeProvider time)
{
    private readonly PeerLogLimit _limit = new(time);

    internal void BadFrame(long connectionId, EndPoint? peer, CloseReason reason, string problem)
    {
        if (!_limit.TryTake(peer, out int leftOut))
        {
            return;
        }

        if (leftOut == 0)
        {
            ConnectionLog.BadFrame(logger, connectionId, peer, reason, problem);
        }
        else
        {
            ConnectionLog.BadFrameAgain(logger, connectionId, peer, reason, problem, leftOut);
        }
    }
}
