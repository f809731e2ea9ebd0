using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Transport;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Testing;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Server.Tests.Hosting;

public sealed class RefusedHandshakeLogTests
{
    private const int Refused = 100;

    private readonly ManualTimeProvider _time = new();
    private readonly RecordingLogger _log = new();
    private readonly List<TestClient> _clients = [];

    // A link that waits for its handshake may lose its place to a newer one. Either way each further link costs one refusal.
    [Theory]
    [InlineData("--PlayChat:Endpoints:0:Tls:MaxHandshakes=1")]
    [InlineData("--PlayChat:Connections:MaxConnectionsPerAddress=1")]
    public async Task Links_that_are_refused_before_their_TLS_handshake_have_one_line_and_a_number(string limit)
    {
        using var certificate = new TestCertificate();
        await using TestServer server = await TestServer.StartUnderAsync(
            _time,
            services => services.AddSingleton<ILoggerFactory>(_log),
            [.. certificate.WritePem(), "--PlayChat:Endpoints:0:Tls:HandshakeTimeout=00:01:00",
                "--PlayChat:Connections:LimitsLoopback=true", limit]);
        _clients.Add(await server.ConnectAsync());

        await AssertBoundedAsync(() => RefuseAsync(server, static _ => { }));
    }

    [Fact]
    public async Task Links_whose_TLS_handshake_fails_have_one_line_and_a_number()
    {
        using var certificate = new TestCertificate();
        await using TestServer server = await TestServer.StartUnderAsync(
            _time, services => services.AddSingleton<ILoggerFactory>(_log), certificate.WritePem());

        // A login in plain text is no TLS record.
        await AssertBoundedAsync(
            () => RefuseAsync(server, static client => client.Send(ChatPackets.CLoginReq, new CLoginReq { Name = "ann" })));
    }

    private async Task AssertBoundedAsync(Func<Task> refuseAsync)
    {
        await refuseAsync();
        Assert.Equal(1, Count("Refused"));
        _time.Advance(TimeSpan.FromSeconds(10));
        await refuseAsync();

        Assert.Equal(2, Count("Refused"));
        Assert.EndsWith(
            $"{Refused - 1} refusals of its address before it were not logged.",
            _log.Entries.Last(static entry => entry.Event == "Refused").Text,
            StringComparison.Ordinal);
        var byEvent = _log.Entries.Where(static entry => entry.Level >= LogLevel.Information)
            .GroupBy(static entry => entry.Event, StringComparer.Ordinal);
        Assert.All(byEvent, static lines => Assert.InRange(lines.Count(), 1, 2));
        foreach (TestClient client in _clients)
        {
            await client.DisposeAsync();
        }
    }

    private async Task RefuseAsync(TestServer server, Action<TestClient> behave)
    {
        long refused = server.Server.Metrics.Snapshot().ConnectionsRefused + Refused;
        for (int i = 0; i < Refused; i++)
        {
            try
            {
                TestClient client = await server.ConnectAsync();
                _clients.Add(client);
                behave(client);
            }
            catch (ConnectFailedException)
            {
                // The reset came before the client knew that it was connected.
            }
        }

        await Eventually.TrueAsync(() => server.Server.Metrics.Snapshot().ConnectionsRefused == refused);
    }

    private int Count(string name) => _log.Entries.Count(entry => entry.Event == name);
}
