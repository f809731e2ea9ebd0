using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;

namespace PlayChat.Benchmark.Classroom;

/// <summary>
/// Connections with frames of length(2) + sender(2) + payload. The server assigns them to rooms in the order of acceptance.
/// </summary>
internal sealed class FrameNetwork : IClassroomNetwork
{
    private readonly PlayChatConnector _connector;

    /// <param name="connections">The most connections.</param>
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
