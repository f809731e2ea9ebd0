namespace PlayChat.Benchmark.Classroom;

/// <summary>
/// Connections with frames of length(2) + sender(2) + payload. The server assigns them to rooms in the order of acceptance.
/// </summary>
internal sealed class FrameNetwork : IClassroomNetwork
{
    private readonly PlayChatConnector _connector;

    /// <param name="transport">Moves the bytes; the runtime's sockets without.</param>
    public FrameNetwork(int connections, ITransport? transport)
    {
        var options = new ConnectorOptions();
        options.Connections.MaxConnections = Math.Max(options.Connections.MaxConnections, connections);
        _connector = new PlayChatConnector(FrameFormat.SenderPrefixed(), OnFrame, options, OnClosed, transport);
    }

    public IClassroomChannel CreateChannel(ClassroomLink link, int room) => new FrameChannel(link, _connector);

    public ValueTask DisposeAsync() => _connector.DisposeAsync();

    private static void OnFrame(Connection connection, Frame frame) => connection.Get<FrameChannel>()!.OnFrame(frame);

    private static void OnClosed(Connection connection, CloseReason reason) =>
        connection.Get<FrameChannel>()!.Link.OnClosed(reason.ToString());
}

/// <summary>A connection of <see cref="FrameNetwork"/>.</summary>
internal sealed class FrameChannel(ClassroomLink link, PlayChatConnector connector) : IClassroomChannel
{
    private readonly FrameHeader _header = new(SenderId: (ushort)link.Index);
    private Connection? _connection;
    private FrameScratch _scratch;

    /// <summary>What it carries messages for.</summary>
    public ClassroomLink Link { get; } = link;

    public async Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken) =>
        _connection = await ConnectionCrowd.ConnectAsync(connector, server, this, cancellationToken);

    public bool Send(int bytes, SpanAction<byte, ClassroomLink> write) => _connection!.Send(_header, bytes, Link, write);

    /// <summary>Handles a frame, on the connection's receive loop.</summary>
    public void OnFrame(Frame frame) => Link.OnMessage(_scratch.Read(frame), frame.Header.SenderId);
}
