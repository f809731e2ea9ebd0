using System.Text.Json.Nodes;

namespace PlayChat.Packaging.Tests;

/// <summary>The packages that are dotnet tools.</summary>
[Collection<PackageCollection>]
public sealed class ToolTests(PackageFeed feed)
{
    private const string Id = "PlayChat.Benchmark";

    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(3);

    [Fact]
    public void The_package_is_a_tool_that_brings_its_server()
    {
        Package package = feed.Packages[Id];

        Assert.Equal("DotnetTool", package.Attribute("packageType", "name"));
        Assert.Empty(package.Dependencies);
        Assert.Contains("tools/net8.0/any/PlayChat.Benchmark.dll", package.Files, StringComparer.Ordinal);
        Assert.Contains("tools/net8.0/any/server/PlayChat.Server.dll", package.Files, StringComparer.Ordinal);
        Assert.Contains("tools/net8.0/any/server/PlayChat.Server.runtimeconfig.json", package.Files, StringComparer.Ordinal);
    }

    [Fact]
    public async Task It_installs_from_the_package_and_measures_its_server()
    {
        using var folder = new TemporaryDirectory();
        string report = Path.Combine(folder.Path, "report.json");
        string version = feed.Packages[Id].Value("version")!;

        await RunAsync(
            "dotnet", "tool", "install", Id, "--version", version, "--tool-path", folder.Path, "--source", feed.Folder);
        await RunAsync(
            Path.Combine(folder.Path, OperatingSystem.IsWindows() ? "playchat-benchmark.exe" : "playchat-benchmark"),
            "echo", "--ccu", "4", "--inflight", "2", "--warmup", "0", "--duration", "2", "--json", report);

        JsonNode figures = JsonNode.Parse(await File.ReadAllTextAsync(report))!;
        Assert.True((long)figures["messages"]! > 0);
        Assert.NotNull(figures["server"]!["cpu_us_per_message"]);
    }

    [Fact]
    public async Task The_command_playchat_installs_from_its_package_and_reads_an_assembly()
    {
        using var folder = new TemporaryDirectory();
        Package package = feed.Packages["PlayChat.Tool"];
        Assert.Equal("DotnetTool", package.Attribute("packageType", "name"));
        Assert.Empty(package.Dependencies);

        await RunAsync(
            "dotnet", "tool", "install", "PlayChat.Tool", "--version", package.Value("version")!, "--tool-path", folder.Path, "--source",
            feed.Folder);
        await RunAsync(
            Path.Combine(folder.Path, OperatingSystem.IsWindows() ? "playchat.exe" : "playchat"),
            "typescript", typeof(PlayChat.State.StateTypes).Assembly.Location, "--help");
    }

    private static async Task RunAsync(string program, params string[] arguments)
    {
        using var folder = new TemporaryDirectory(); // outside of the repository, and without other projects
        await Command.RunAsync(s_patience, folder.Path, program, arguments);
    }
}
