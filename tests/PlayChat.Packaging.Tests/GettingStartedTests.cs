using System.Net;
using System.Net.Sockets;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Packaging.Tests;

/// <summary>docs/tutorial/getting-started.md, done as it says. It takes minutes and packages from feeds, so only who names the folder of
/// <c>tools/pack</c> gets it.</summary>
[Trait("Category", "GettingStarted")]
[Trait("Tier", "Full")]
public sealed class GettingStartedTests
{
    private const string Variable = "PLAYCHAT_TEST_GETTING_STARTED";

    [Fact]
    public async Task The_guide_leads_from_an_empty_folder_to_a_game_server()
    {
        await using Guide guide = Start();

        foreach (GuideStep step in GuideStep.Read(Repository.Read(Documents.Guide)))
        {
            await guide.TryAsync(step);
        }
    }

    [Fact]
    public async Task The_template_takes_a_name_that_is_no_identifier_and_a_newer_framework()
    {
        await using Guide guide = Start();
        await guide.TryAsync(GuideStep.Read(Repository.Read(Documents.Guide))[0]);

        await guide.RunAsync("dotnet new install PlayChat.Templates");
        string help = await guide.RunAsync("dotnet new playchat-server --help");
        await guide.RunAsync("dotnet new playchat-server -n Dice-Duel -o game --port 7171 --framework net10.0");
        await guide.RunAsync("cd game");
        await guide.RunAsync("dotnet build Dice-Duel.sln");

        Assert.Contains("--port", help, StringComparison.Ordinal);
        Assert.Contains("--framework", help, StringComparison.Ordinal);
        Assert.Contains("127.0.0.1:7171",
            await File.ReadAllTextAsync(Path.Combine(guide.Current, "Dice-Duel.Server/appsettings.json")), StringComparison.Ordinal);
        Assert.Contains("namespace Dice_Duel.Server;",
            await File.ReadAllTextAsync(Path.Combine(guide.Current, "Dice-Duel.Server/Lobby.cs")), StringComparison.Ordinal);
    }

    private static Guide Start()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        string? feed = Environment.GetEnvironmentVariable(Variable);
        Assert.SkipWhen(string.IsNullOrEmpty(feed), $"{Variable} does not name a folder that tools/pack has filled.");
        using var free = new TcpListener(IPAddress.Loopback, 0);
        free.Start();
        return new Guide(Path.GetFullPath(feed), ((IPEndPoint)free.LocalEndpoint).Port);
    }
}
