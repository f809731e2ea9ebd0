using System.Net;
using System.Net.Sockets;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Packaging.Tests;

/// <summary>docs/tutorial/getting-started.md, done as it says. It takes minutes and packages from feeds, so only who names the folder of
/// <c>tools/pack</c> gets it.</summary>
[Trait("Tier", "Full")]
public sealed class GettingStartedTests
{
    private const string Variable = "PLAYCHAT_TEST_GETTING_STARTED";

    [Fact]
    [Trait("Category", "GettingStarted")]
    public async Task The_guide_leads_from_an_empty_folder_to_a_game_server()
    {
        await using Guide guide = Start();

        foreach (GuideStep step in GuideStep.Read(Repository.Read(Documents.Guide)))
        {
            await guide.TryAsync(step);
        }
    }

    [Fact]
    [Trait("Category", "TemplateWithPage")]
    public async Task The_template_with_a_page_takes_a_name_that_is_no_identifier_and_a_newer_framework_and_its_tests_pass()
    {
        await using Guide guide = Start();
        await guide.TryAsync(GuideStep.Read(Repository.Read(Documents.Guide))[0]);

        await guide.RunAsync("dotnet new install PlayChat.Templates");
        string help = await guide.RunAsync("dotnet new playchat-server --help");
        Assert.Contains("--port", help, StringComparison.Ordinal);
        Assert.Contains("--framework", help, StringComparison.Ordinal);
        await guide.RunAsync("dotnet new playchat-server -n Dice-Duel -o game --client typescript --framework net10.0 --port 7171");
        await guide.RunAsync("cd game");
        Assert.Contains("127.0.0.1:7171",
            await File.ReadAllTextAsync(Path.Combine(guide.Current, "Dice-Duel.Server/appsettings.json")), StringComparison.Ordinal);
        Assert.Contains("namespace Dice_Duel.Server;",
            await File.ReadAllTextAsync(Path.Combine(guide.Current, "Dice-Duel.Server/Lobby.cs")), StringComparison.Ordinal);
        await guide.RunAsync("dotnet test Dice-Duel.sln");
        await guide.RunAsync("dotnet tool restore");
        await guide.RunAsync("cd Dice-Duel.Page");
        await guide.RunAsync("npm install --no-audit --no-fund");
        await guide.RunAsync("npm test");
        await guide.RunAsync("npm run build");

        string messages = Path.Combine(guide.Current, "../Dice-Duel.Messages/Messages.cs");
        string text = await File.ReadAllTextAsync(messages);
        await File.WriteAllTextAsync(
            messages, text.Replace("Said(string Name, string Text)", "Said(string Name, string Words)", StringComparison.Ordinal));
        await guide.RunAsync("dotnet build ../Dice-Duel.Server");
        await guide.RunAsync("npm run gen");
        Assert.Contains("'text' does not exist", await guide.RunAsync("npx tsc", exitCode: 2), StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.Combine(guide.Current, "../Dice-Duel.Client")));
        Assert.Contains("ws://127.0.0.1:7171/ws",
            await File.ReadAllTextAsync(Path.Combine(guide.Current, "src/main.ts")), StringComparison.Ordinal);
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
