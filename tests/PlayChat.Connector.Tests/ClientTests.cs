using System.Net;
using System.Net.Security;
using System.Threading.Channels;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Connector.Tests;

/// <summary>A client whose server answers when the test says so.</summary>
public sealed class ClientTests : IAsyncDisposable
{
    private const ushort AskId = 1;
    private const ushort ToldId = 2;

    private readonly Channel<(Connection Connection, FrameHeader Header)> _requests =
        Channel.CreateUnbounded<(Connection, FrameHeader)>();

    private readonly TestCertificate _certificate = new();
    private readonly PlayChatServer _server;

    public ClientTests() => _server = new PlayChatServer(options =>
        {
            options.StopTimeout = TimeSpan.Zero;
            options.ListenTcp("127.0.0.1:0");
            options.ListenTcp("127.0.0.1:0").Tls.Certificate = _certificate.Own;
        })
        .OnFrame((connection, frame) => _requests.Writer.TryWrite((connection, frame.Header)));

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _certificate.Dispose();
    }

    [Fact]
    public async Task A_client_that_is_disposed_while_it_returns_ends_whatever_Enter_throws()
    {
        GameClient client = await MakeAsync(new ClientOptions { Enter = static (entry, _) => EnterAsync(entry) });
        Connection first = await ConnectAsync(client);

        first.Abort();
        await ReceiveAsync(); // is not answered
        await client.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(CloseReason.LocalClose, (await client.Closed.WaitAsync(TestTimeouts.Hang)).Reason);
    }

    [Fact]
    public async Task Requests_that_are_held_leave_Enter_its_own()
    {
        var isHeld = new TaskCompletionSource<Task<Told>>(TaskCreationOptions.RunContinuationsAsynchronously);
        var isBack = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task canEnter = Task.CompletedTask;
        await using GameClient client = await MakeAsync(new ClientOptions
        {
            MaxRequests = 1,
            Enter = async (entry, _) =>
            {
                await canEnter;
                return await EnterAsync(entry);
            },
        });
        client.Reconnecting += _ => isHeld.TrySetResult(client.RequestAsync<Told>(new Ask()));
        client.Reconnected += _ => isBack.TrySetResult();
        client.Ended += end => isBack.TrySetException(new InvalidOperationException($"It has ended: {end.Reason}"));
        Connection first = await ConnectAsync(client);
        canEnter = isHeld.Task;

        first.Abort();
        await AnswerAsync(); // Enter
        await isBack.Task.WaitAsync(TestTimeouts.Hang);
        await AnswerAsync();

        await (await isHeld.Task).WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task The_TLS_options_stay_as_they_are_for_servers_of_other_names()
    {
        var tls = new SslClientAuthenticationOptions { RemoteCertificateValidationCallback = _certificate.IsMine };
        await using GameClient client = await MakeAsync(new ClientOptions { Tls = tls }, endpoint: 1);

        await client.ConnectAsync().WaitAsync(TestTimeouts.Hang);

        Assert.Null(tls.TargetHost);
    }

    /// <summary>Without the token, as an application may.</summary>
    private static async Task<Entered> EnterAsync(Entry entry)
    {
        await entry.RequestAsync<Told>(new Ask());
        return new Entered();
    }

    private async Task<GameClient> MakeAsync(ClientOptions options, int endpoint = 0)
    {
        await _server.StartAsync();
        options.FirstDelay = TimeSpan.FromMilliseconds(1);
        options.RequestTimeout = TestTimeouts.Hang;
        options.KeepAlive = Timeout.InfiniteTimeSpan;
        PacketSet packets = new PacketSet()
            .Add(AskId, static _ => new Ask(), static _ => [])
            .Add(ToldId, static _ => new Told(), static _ => []);
        string scheme = endpoint == 0 ? "tcp" : "tls";
        return new GameClient($"{scheme}://127.0.0.1:{((IPEndPoint)_server.EndPoints[endpoint]).Port}", packets, options);
    }

    /// <returns>The server's side of the first connection.</returns>
    private async Task<Connection> ConnectAsync(GameClient client)
    {
        Task connecting = client.ConnectAsync();
        Connection connection = await AnswerAsync();
        await connecting.WaitAsync(TestTimeouts.Hang);
        return connection;
    }

    private async Task<Connection> AnswerAsync()
    {
        (Connection connection, FrameHeader header) = await ReceiveAsync();
        connection.Send([], new FrameHeader(ToldId, header.RequestId));
        return connection;
    }

    private Task<(Connection Connection, FrameHeader Header)> ReceiveAsync() =>
        _requests.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);

    private sealed record Ask;

    private sealed record Told;
}
