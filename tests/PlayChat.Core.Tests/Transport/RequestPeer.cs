using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;
using static PlayChat.Core.Tests.Dispatch.RequestPackets;

namespace PlayChat.Core.Tests.Transport;

/// <summary>One of two ends that ask each other. Its end is checked for leaks.</summary>
internal sealed class RequestPeer : IAsyncDisposable
{
    private static readonly TransportOptions s_options = new();

    internal RequestPeer(TransportConnection link, TimeProvider? time = null, Action<ConnectionOptions>? configure = null)
    {
        var options = new ConnectionOptions();
        configure?.Invoke(options);
        Metrics = new ServerMetrics();
        PacketSet packets = Create();
        Handler.OnFrame = (Connection connection, in Frame frame) =>
            HandleAsync(new PacketContext(connection, frame.PacketId, frame.RequestId), packets.Find(frame.PacketId)!.Decode(in frame)!);
        Connection = new Connection(link, new ConnectionServices
        {
            Format = FrameFormat.Packet(),
            Packets = packets,
            Handler = Handler,
            Options = options,
            Pool = Pool,
            Metrics = Metrics,
            Time = time ?? TimeProvider.System,
            Logger = Logger,
        });
    }

    internal CountingSegmentPool Pool { get; } = new();

    internal RecordingHandler Handler { get; } = new();

    internal RecordingLogger Logger { get; } = new();

    internal ServerMetrics Metrics { get; }

    internal Connection Connection { get; }

    /// <summary>Answers; by default a question is answered with its own word.</summary>
    internal Func<PacketContext, Ask, ValueTask> OnAsk { get; set; } = static (context, ask) =>
    {
        context.Reply(new Told(ask.Word));
        return default;
    };

    internal Func<PacketContext, Note, ValueTask> OnNote { get; set; } = static (_, _) => default;

    /// <summary>Two ends of one link.</summary>
    /// <param name="kind">"memory", "pipes", "sockets" or "linux"; over TLS with "+tls" behind it.</param>
    internal static async Task<(RequestPeer One, RequestPeer Other)> ConnectAsync(string kind)
    {
        (TransportConnection client, TransportConnection server) = await LinkAsync(TransportOf(kind));
        if (kind.EndsWith("+tls", StringComparison.Ordinal))
        {
            using var certificate = Hosting.TestCertificate.Create();
            Task<TlsConnection?> accepting = TlsConnection.AcceptAsync(
                server,
                (stream, token) => stream.AuthenticateAsServerAsync(new() { ServerCertificate = certificate }, token),
                turns: null,
                CancellationToken.None);
            client = await TlsConnection.ConnectAsync(client, Hosting.TestCertificate.TrustAny, CancellationToken.None)
                .WaitAsync(TestTimeouts.Hang);
            server = (await accepting.WaitAsync(TestTimeouts.Hang))!;
        }

        return (new RequestPeer(client), new RequestPeer(server));
    }

    public async ValueTask DisposeAsync()
    {
        Connection.Abort();
        await Connection.Closed.WaitAsync(TestTimeouts.Hang);
        Metrics.Dispose();
        Pool.Verify();
    }

    private static ITransport TransportOf(string kind) => kind.Split('+')[0] switch
    {
        "memory" => new InMemoryTransport(),
        "pipes" => new PipeTransport(),
        "sockets" => SocketTransport.Instance,
        _ => NativeTransport.Create(),
    };

    private static async Task<(TransportConnection Client, TransportConnection Server)> LinkAsync(ITransport transport)
    {
        await using TransportListener listener = transport.Listen(new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 0), s_options);
        Task<TransportConnection?> accepting = listener.AcceptAsync().AsTask();
        TransportConnection client = await transport.ConnectAsync(listener.EndPoint, s_options);
        return (client, (await accepting.WaitAsync(TestTimeouts.Hang))!);
    }

    private ValueTask HandleAsync(PacketContext context, object message) => message switch
    {
        Ask ask => OnAsk(context, ask),
        Note note => OnNote(context, note),
        _ => throw new InvalidOperationException($"{message} is no answer to anything."),
    };
}
