using System.Collections;
using Microsoft.Extensions.Configuration;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Diagnostics;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Deployment;

/// <summary>The units in deploy/systemd, checked by systemd's own tool and against the server's settings.</summary>
public sealed class SystemdTests : IDisposable
{
    private const string Analyze = "/usr/bin/systemd-analyze";
    private const string SkipReason = "This system has no systemd-analyze (package systemd).";
    private const string Service = "systemd/playchat.service";

    // Of 100, as systemd-analyze counts: 1.4 in its table.
    private const string MaxExposure = "15";

    private readonly TemporaryDirectory _folder = new();

    private static IConfiguration Settings
    {
        get
        {
            var configuration = new ConfigurationManager();
            var commandLine = CommandLine.Parse(["--config", DeployFolder.PathOf("systemd/playchat.json")]);
            ServerConfiguration.Load(configuration, commandLine, ServerConfiguration.SettingsFile, new Hashtable());
            return configuration;
        }
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Systemd_finds_no_fault_in_the_units()
    {
        Assert.SkipUnless(File.Exists(Analyze), SkipReason);

        (int exitCode, string output) = await DeployFolder.RunAsync(Analyze, "verify", "--man=no", CopyService(), CopySocket());

        Assert.Equal((0, ""), (exitCode, output));
    }

    [Fact]
    public async Task The_service_is_at_most_as_exposed_as_the_documentation_says()
    {
        Assert.SkipUnless(File.Exists(Analyze), SkipReason);

        (int exitCode, string output) =
            await DeployFolder.RunAsync(Analyze, "security", "--offline=true", $"--threshold={MaxExposure}", CopyService());

        Assert.True(exitCode == 0, output);
    }

    [Fact]
    public void Each_socket_of_the_socket_unit_is_an_endpoint_of_the_example_configuration()
    {
        IConfiguration settings = Settings;
        string first = settings[SettingsCatalog.AddressKey]!;
        string web = $"{first[..first.LastIndexOf(':')]}:{settings["Web:Port"]}";

        Assert.Equal("True", settings["Web:Enabled"], ignoreCase: true);
        Assert.Equal(
            [first, web],
            DeployFolder.Values("systemd/playchat.socket", "ListenStream").Select(static port => "*:" + port),
            StringComparer.Ordinal);
    }

    [Fact]
    public void The_example_configuration_has_a_log()
    {
        IConfiguration settings = Settings;

        Assert.Equal("Console", settings["Serilog:WriteTo:0:Args:configure:0:Name"]);
        Assert.NotEmpty(LogFiles.Paths(settings));
    }

    [Fact]
    public void The_operations_endpoint_of_the_example_needs_a_token_that_only_the_service_can_read()
    {
        IConfiguration settings = Settings;
        string folder = $"/var/lib/{DeployFolder.Values(Service, "StateDirectory").Single()}";

        Assert.True(settings.GetValue<bool>("Operations:Enabled"));
        Assert.Equal(folder, Path.GetDirectoryName(settings["Operations:TokenFile"]));
        Assert.Equal("0700", DeployFolder.Values(Service, "StateDirectoryMode").Single());
    }

    [Fact]
    public void Systemd_waits_longer_for_the_stop_than_the_server_takes()
    {
        int systemd = int.Parse(
            DeployFolder.Values(Service, "TimeoutStopSec").Single(), System.Globalization.CultureInfo.InvariantCulture);

        Assert.True(TimeSpan.FromSeconds(systemd) > StopTime.Of(Settings), $"{systemd} s, but the server takes {StopTime.Of(Settings)}");
        Assert.True(
            int.Parse(DeployFolder.Values(Service, "LimitNOFILE").Single(), System.Globalization.CultureInfo.InvariantCulture)
                > Settings.GetValue<int>("PlayChat:Connections:MaxConnections"));
    }

    // The tool looks for the program that the unit starts; only the path is exchanged.
    private string CopyService()
    {
        string copy = _folder.Combine("playchat.service");
        File.WriteAllText(
            copy, DeployFolder.Read(Service).Replace("/opt/playchat/PlayChat.Server", "/bin/true", StringComparison.Ordinal));
        return copy;
    }

    private string CopySocket()
    {
        string copy = _folder.Combine("playchat.socket");
        File.Copy(DeployFolder.PathOf("systemd/playchat.socket"), copy);
        return copy;
    }
}
