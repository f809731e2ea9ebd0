using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>A whole server on the in-memory transport with a manual clock.</summary>
internal sealed class ServerHarness : IAsyncDisposable
{
    private readonly List<TransportConnection> _clients = [];

    internal ServerHarness(Action<PlayChatOptions>? options = null)
    {
        Server = new PlayChatServer(o =>
        {
            o.ListenTcp("127.0.0.1:0");
            options?.Invoke(o);
        })
            .UseTransport(Transport).UseTime(Time).UseLogging(Logger).UseFraming(FrameFormat.LengthPrefixed());
    }

    internal InMemoryTransport Transport { get; } = new();

    internal ManualTimeProvider Time { get; } = new();

    internal RecordingLogger Logger { get; } = new();

    internal PlayChatServer Server { get; }

    internal async Task<ServerHarness> StartAsync(Func<PlayChatServer, PlayChatServer>? handlers = null)
    {
        (handlers ?? Echo)(Server);
        await Server.StartAsync();
        return this;
    }

    /// <summary>A client, once the server has set its session up.</summary>
    internal async Task<TransportConnection> ConnectAsync()
    {
        int before = Server.Sessions.Count;
        TransportConnection client = await ConnectOnlyAsync();
        await Eventually.TrueAsync(() => Server.Sessions.Count > before);
        return client;
    }

    internal async Task<TransportConnection> ConnectOnlyAsync()
    {
        TransportConnection client = await Transport.ConnectAsync(Server.EndPoints[0], Server.Options.Transport);
        _clients.Add(client);
        return client;
    }

    internal static byte[] Frame(params byte[] body) => [0, 0, 0, (byte)body.Length, .. body];

    internal static byte[] Frame(CloseReason reason) => Frame((byte)reason);

    public async ValueTask DisposeAsync()
    {
        await Server.DisposeAsync();
        _clients.ForEach(static client => client.Abort());
    }

    private static PlayChatServer Echo(PlayChatServer server) => server.OnFrame(static (connection, frame) => connection.Send(in frame));
}
