using PlayChat.Cluster.Log;
using PlayChat.Cluster.RabbitMq;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Cluster.Tests.RabbitMq;

/// <summary>Passwords and certificates, with a broker that asks for them.</summary>
[Collection(RabbitMqCollection.Name)]
public sealed class RabbitMqAccessTests(RabbitMqFixture fixture) : IDisposable
{
    private static readonly RecordOrigin s_self = new(1, 1);

    private readonly TemporaryDirectory _folder = new();
    private readonly TestCertificateChain _certificate = new();

    private string PasswordFile => _folder.Combine("password");

    private string CaFile => _folder.Combine("ca.pem");

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Connections_with_TLS_need_the_authority_that_has_signed_and_the_name_of_the_broker()
    {
        Assert.SkipUnless(RabbitMqServer.IsAvailable, RabbitMqServer.SkipReason);
        await using RabbitMqServer server = await RabbitMqServer.StartNewAsync(_certificate);
        await File.WriteAllTextAsync(CaFile, _certificate.Root.ExportCertificatePem(), TestContext.Current.CancellationToken);

        await using (var node = new RabbitMqBackplane(Options(server), s_self))
        {
            await Eventually.TrueAsync(() => node.State == BackplaneState.Up);
        }

        RabbitMqBackplaneOptions unknown = Options(server);
        unknown.TlsCaFile = ""; // the system does not know the authority
        await AssertRefusedAsync(unknown);
        RabbitMqBackplaneOptions other = Options(server);
        other.TlsServerName = ""; // the certificate is of localhost, not of 127.0.0.1
        await AssertRefusedAsync(other);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_new_password_in_the_file_counts_at_the_next_attempt()
    {
        RabbitMqServer server = fixture.GetServer();
        await File.WriteAllTextAsync(PasswordFile, "wrong\n", TestContext.Current.CancellationToken);
        using var log = new RecordingLogger();
        await using var node = new RabbitMqBackplane(
            new RabbitMqBackplaneOptions
            {
                Endpoints = [server.Endpoint],
                PasswordFile = PasswordFile,
                ShardCount = 1,
                StreamPrefix = "password.",
            },
            s_self,
            log);
        await Eventually.TrueAsync(() => log.Entries.Any(static entry => entry.Text.Contains("ACCESS_REFUSED", StringComparison.Ordinal)));

        await File.WriteAllTextAsync(PasswordFile, "guest\n", TestContext.Current.CancellationToken);

        await Eventually.TrueAsync(() => node.State == BackplaneState.Up);
        Assert.DoesNotContain(log.Entries, static entry => entry.Text.Contains("wrong", StringComparison.Ordinal));
    }

    [Fact]
    public void Files_that_are_missing_and_TLS_options_without_TLS_are_refused()
    {
        string missing = _folder.Combine("missing");

        Assert.Contains(missing, Refusal(new RabbitMqBackplaneOptions { PasswordFile = missing }), StringComparison.Ordinal);
        Assert.Contains(missing, Refusal(new RabbitMqBackplaneOptions { UseTls = true, TlsCaFile = missing }), StringComparison.Ordinal);
        Assert.Contains("UseTls", Refusal(new RabbitMqBackplaneOptions { TlsServerName = "rabbit" }), StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _certificate.Dispose();
        _folder.Dispose();
    }

    private static string Refusal(RabbitMqBackplaneOptions options) => Assert.Throws<ArgumentException>(options.Validate).Message;

    private static async Task AssertRefusedAsync(RabbitMqBackplaneOptions options)
    {
        using var log = new RecordingLogger();
        await using var node = new RabbitMqBackplane(options, s_self, log);

        await Eventually.TrueAsync(() => log.Entries.Any(static entry => entry.Text.Contains("certificate", StringComparison.Ordinal)));

        Assert.Equal(BackplaneState.Down, node.State);
    }

    private RabbitMqBackplaneOptions Options(RabbitMqServer server) => new()
    {
        Endpoints = [server.TlsEndpoint],
        UseTls = true,
        TlsCaFile = CaFile,
        TlsServerName = "localhost",
        ShardCount = 1,
    };
}
