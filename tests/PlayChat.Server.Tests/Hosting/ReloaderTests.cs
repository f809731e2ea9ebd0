using PlayChat.Chat.Configuration;
using PlayChat.Chat.Hosting;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Server.Tests.Hosting;

/// <summary>A reload that cannot read everything changes nothing.</summary>
public sealed class ReloaderTests : IDisposable
{
    private const string Closed = """{ "Accounts": { "AutoRegister": false } }""";

    private readonly TemporaryDirectory _folder = new();

    private string SettingsFile => _folder.Combine("settings.json");

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("""{ "Accounts": { "AutoRegister": tr""")]
    [InlineData("""{ "Accounts": { "AutoRegister": "perhaps" } }""")]
    public async Task A_configuration_file_that_is_gone_or_broken_changes_nothing(string? content)
    {
        await File.WriteAllTextAsync(SettingsFile, Closed);
        await using TestServer server = await TestServer.StartAsync("--config", SettingsFile);
        bool isReloaded = false;
        server.Get<Reloader>().Add("part", () => Task.FromResult(isReloaded = true));
        File.Delete(SettingsFile);
        if (content is not null)
        {
            await File.WriteAllTextAsync(SettingsFile, content);
        }

        await server.Get<Reloader>().ReloadAsync().WaitAsync(TestTimeouts.Hang);

        Assert.False(server.Get<ServerSettings>().Accounts.AutoRegister);
        Assert.False(isReloaded);
    }

    [Fact]
    public async Task A_certificate_that_cannot_be_read_changes_no_option()
    {
        using var certificate = new TestCertificate();
        await File.WriteAllTextAsync(SettingsFile, Closed);
        string[] tls = certificate.WritePem();
        await using TestServer server = await TestServer.StartOnSocketsAsync([.. tls, "--config", SettingsFile]);
        await File.WriteAllTextAsync(SettingsFile, "{}");
        await File.WriteAllTextAsync(tls[0].Split('=')[1], "nonsense");

        await server.Get<Reloader>().ReloadAsync().WaitAsync(TestTimeouts.Hang);

        Assert.False(server.Get<ServerSettings>().Accounts.AutoRegister);
    }

    [Fact]
    public async Task A_certificate_of_a_part_that_cannot_be_read_changes_no_option()
    {
        using var certificate = new TestCertificate();
        await File.WriteAllTextAsync(SettingsFile, Closed);
        string[] operations =
        [
            .. certificate.WritePem()
                .Select(static file => file.Replace("PlayChat:Endpoints:0:Tls:", "Operations:", StringComparison.Ordinal)),
            "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0",
        ];
        await using TestServer server = await TestServer.StartAsync([.. operations, "--config", SettingsFile]);
        await File.WriteAllTextAsync(SettingsFile, "{}");
        await File.WriteAllTextAsync(operations[0].Split('=')[1], "nonsense");

        await server.Get<Reloader>().ReloadAsync().WaitAsync(TestTimeouts.Hang);

        Assert.False(server.Get<ServerSettings>().Accounts.AutoRegister);
    }
}
