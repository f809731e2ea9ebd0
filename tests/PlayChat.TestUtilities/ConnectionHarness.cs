using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Transport;
using PlayChat.Testing;

namespace PlayChat.TestUtilities;

/// <summary>A server's connection with all that it needs, on a stub link or on the in-memory transport. Its end is checked for
/// leaks.</summary>
internal sealed class ConnectionHarness : IAsyncDisposable
{
    private readonly TransportConnection? _client;
    private readonly StubLink? _stub;

    private ConnectionHarness(
        TransportConnection link, TransportConnection? client, FrameFormat? format, Action<ConnectionOptions>? configure)
    {
        _client = client;
        _stub = link as StubLink;
        Options = new ConnectionOptions();
        configure?.Invoke(Options);
        Metrics = new ServerMetrics(time: Time);
        Services = new ConnectionServices
        {
            Format = format ?? FrameFormat.LengthPrefixed(),
            Packets = Packets,
            Handler = Handler,
            Options = Options,
            Pool = Pool,
            Metrics = Metrics,
            Time = Time,
            Logger = Logger,
        };
        Connection = new Connection(link, Services);
    }

    internal ManualTimeProvider Time { get; } = new();

    /// <summary>What messages are sent as; filled by the test.</summary>
    internal PacketSet Packets { get; } = new();

    internal CountingSegmentPool Pool { get; } = new();

    internal RecordingHandler Handler { get; } = new();

    internal RecordingLogger Logger { get; } = new();

    internal ServerMetrics Metrics { get; }

    internal ConnectionOptions Options { get; }

    internal ConnectionServices Services { get; }

    internal Connection Connection { get; }

    internal StubLink Stub => _stub ?? throw new InvalidOperationException("Not on a stub link.");

    /// <summary>The peer's end of an in-memory link.</summary>
    internal TransportConnection Client => _client ?? throw new InvalidOperationException("Not on an in-memory link.");

    /// <summary>A connection whose peer is the test itself.</summary>
    internal static ConnectionHarness OnStub(FrameFormat? format = null, Action<ConnectionOptions>? configure = null) =>
        new(new StubLink { Sent = new MemoryStream() }, null, format, configure);

    /// <summary>A connection over two bounded pipes.</summary>
    internal static ConnectionHarness InMemory(
        FrameFormat? format = null, Action<ConnectionOptions>? configure = null, int linkBytes = 64 * 1024)
    {
        (TransportConnection client, TransportConnection server) = new InMemoryTransport { LinkBytes = linkBytes }.CreateLink();
        return new ConnectionHarness(server, client, format, configure);
    }

    internal ConnectionHarness Start()
    {
        Connection.Start();
        return this;
    }

    /// <summary>One frame, encoded.</summary>
    internal byte[] Frame(ReadOnlySpan<byte> body, FrameHeader header = default)
    {
        byte[] frame = new byte[Services.Format.GetEncodedBytes(body.Length)];
        Services.Format.Encode(body, header, frame);
        return frame;
    }

    internal byte[] Frame(int number) => Frame(BitConverter.GetBytes(number));

    public async ValueTask DisposeAsync()
    {
        Connection.Abort();
        await Connection.Closed.WaitAsync(TestTimeouts.Hang);
        _client?.Abort();
        Metrics.Dispose();
        Pool.Verify();
    }
}
