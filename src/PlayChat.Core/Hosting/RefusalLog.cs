namespace PlayChat.Core.Hosting;

/// <summary>Logs refused links, within the bounds of a <see cref="PeerLogLimit"/>. Thread-safe.</summary>
/// <remarks>Every refusal is counted in <c>playchat.connections.refused</c>.</remarks>
internal sealed class RefusalLog(ILogger logger, TimeProvider time)
{
    private readonly PeerLogLimit _limit = new(time);

    internal void Refused(EndPoint? peer, CloseReason reason)
    {
        if (_limit.TryTake(peer, out int leftOut))
        {
            HostingLog.Refused(logger, peer, reason, leftOut);
        }
    }
}
