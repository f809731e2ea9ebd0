namespace PlayChat.Benchmark.Classroom;

/// <summary>
/// A connection with frames of length(2) + sender(2) + payload. The server assigns connections to rooms in the order of acceptance.
/// </summary>
internal sealed class FrameLink(int index, FanoutLoad load, PlayChatConnector connector) : ClassroomLink(index, load)
{
    private static readonly SpanAction<byte, FrameLink> s_write = static (destination, link) => link.Write(destination);

    private readonly FrameHeader _header = new(SenderId: (ushort)index);
    private FrameScratch _scratch;
    private Connection? _connection;

    /// <summary>Makes what connects all of them, and ends them.</summary>
    /// <param name="transport">Moves the bytes; the runtime's sockets without.</param>
    public static PlayChatConnector CreateConnector(int connections, ITransport? transport) => new(
        FrameFormat.SenderPrefixed(),
        static (connection, frame) => connection.Get<FrameLink>()!.OnFrame(frame),
        ConnectionCrowd.CreateOptions(connections),
        static (connection, reason) => connection.Get<FrameLink>()!.OnClosed(reason.ToString()),
        transport);

    protected override async Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken) =>
        _connection = await ConnectionCrowd.ConnectAsync(connector, server, this, cancellationToken);

    protected override bool Send(int bytes) => _connection!.Send(_header, bytes, this, s_write);

    private void OnFrame(Frame frame) => OnMessage(_scratch.Read(frame), frame.Header.SenderId);
}
