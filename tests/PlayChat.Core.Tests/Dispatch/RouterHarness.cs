using System.Buffers;
using System.Text;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>A router on a connection whose peer is the test: it feeds frames and reads the texts that come back.</summary>
internal sealed class RouterHarness : IAsyncDisposable
{
    private readonly ConnectionHarness _connection = ConnectionHarness.OnStub(FrameFormat.Packet());

    internal RouterHarness(IServiceProvider? services = null, bool asServer = true)
    {
        _connection.Packets.Add(Hello).Add(new NumberPacket(8));
        Router = new PacketRouter(services, _connection.Packets);
        if (asServer)
        {
            Session = new SessionRegistry(_connection.Metrics).Open(_connection.Connection);
        }

        _connection.Handler.OnFrame = (PlayChat.Core.Connections.Connection connection, in Frame frame) => Router.HandleAsync(connection, in frame);
        _connection.Start();
    }

    /// <summary>Packet 7; the empty text is malformed.</summary>
    internal TextPacket Hello { get; } = new(7);

    internal PacketRouter Router { get; }

    internal Session? Session { get; }

    internal PlayChat.Core.Connections.Connection Connection => _connection.Connection;

    internal ServerMetrics Metrics => _connection.Metrics;

    internal ManualTimeProvider Time => _connection.Time;

    internal RecordingLogger Logger => _connection.Logger;

    internal PacketSet Packets => _connection.Packets;

    internal StubLink Stub => _connection.Stub;

    internal void LogIn() => Session!.SetUser(new SessionUser(1, "ann"));

    internal void Start()
    {
        Router.Start(_connection.Metrics, _connection.Logger, _connection.Time);
        _connection.Services.Outlet = Router.Outlet;
    }

    internal void Receive(ushort id, string text, ushort requestId = 0) => Receive(id, Encoding.UTF8.GetBytes(text), requestId);

    internal void Receive(ushort id, byte[] body, ushort requestId = 0)
    {
        Start();
        Stub.Feed(Encode(id, body, requestId));
    }

    internal byte[] Encode(ushort id, byte[] body, ushort requestId = 0) => _connection.Frame(body, new FrameHeader(id, requestId));

    internal string[] Answers()
    {
        List<string> texts = [];
        FrameScan.ReadAll(
            FrameFormat.Packet(),
            new ReadOnlySequence<byte>(Stub.Sent!.ToArray()),
            (in Frame frame) => texts.Add(Encoding.UTF8.GetString(frame.ToArray())));
        return [.. texts];
    }

    public ValueTask DisposeAsync() => _connection.DisposeAsync();
}
