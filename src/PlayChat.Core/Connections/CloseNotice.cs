namespace PlayChat.Core.Connections;

/// <summary>
/// Tells a client of packets why the server closes its connection: a heartbeat packet with the payload of a WebSocket close frame.
/// proto/PROTOCOL.md, "Close notice".
/// </summary>
internal static class CloseNotice
{
    private const int MaxBytes = 125; // of the payload of a WebSocket close frame

    /// <summary>Tells the peer, unless its link does. The connection closes after the call.</summary>
    /// <remarks>
    /// A stop is not told: clients return by themselves after a plain end of the stream, and after
    /// <see cref="CloseReason.ServerShutdown"/> only if the server asks for it, which is the application's to say.
    /// </remarks>
    internal static void Send(Connection connection, CloseReason reason)
    {
        if (connection.Services.Format.HasHeartbeat && !connection.TellsReason && reason != CloseReason.ServerShutdown)
        {
            byte[] payload = new byte[sizeof(ushort) + Encoding.UTF8.GetByteCount(reason.ToString())];
            BinaryPrimitives.WriteUInt16BigEndian(payload, CloseCodes.CodeOf(reason));
            Encoding.UTF8.GetBytes(reason.ToString(), payload.AsSpan(sizeof(ushort)));
            if (connection.Send(payload, new FrameHeader(PacketIds.Heartbeat)))
            {
                connection.OnHeartbeatSent(); // else a client that returns after the close would count as one that lacks a frame
            }
        }
    }

    /// <summary>Reads the reason of a notice.</summary>
    /// <param name="frame">A heartbeat packet.</param>
    /// <returns><see cref="CloseReason.None"/> if it is no notice.</returns>
    internal static CloseReason Read(in Frame frame) =>
        frame.RequestId != 0 || frame.BodyBytes is < sizeof(ushort) or > MaxBytes
            ? CloseReason.None
            : CloseCodes.ReasonOf(BinaryPrimitives.ReadUInt16BigEndian(frame.ToArray()));
}
