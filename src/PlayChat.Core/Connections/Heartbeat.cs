namespace PlayChat.Core.Connections;

/// <summary>PlayChat's own heartbeat: an empty packet with an id that no message has. proto/PROTOCOL.md, "Heartbeat packet".</summary>
internal static class Heartbeat
{
    // Not 0: an answer is asked for.
    private const ushort Asks = 1;

    /// <summary>Asks a peer for a sign of life. Its answer counts as received bytes, like anything else that it sends.</summary>
    internal static void Ask(Connection connection) => Send(connection, Asks);

    /// <summary>Takes a frame that is a heartbeat, and answers it if an answer is asked for.</summary>
    /// <returns><see langword="false"/> when the frame is a packet of the application.</returns>
    internal static bool TryTake(Connection connection, in Frame frame)
    {
        if (frame.PacketId != PacketIds.Heartbeat)
        {
            return false;
        }

        connection.OnHeartbeatReceived();
        if (frame.RequestId != 0)
        {
            Send(connection, requestId: 0);
        }
        else if (connection.Services.IsClient && CloseNotice.Read(in frame) is var reason and not CloseReason.None)
        {
            connection.OnCloseTold(reason);
        }

        return true;
    }

    private static void Send(Connection connection, ushort requestId)
    {
        if (connection.Send(default, new FrameHeader(PacketIds.Heartbeat, requestId)))
        {
            connection.OnHeartbeatSent();
        }
    }
}
