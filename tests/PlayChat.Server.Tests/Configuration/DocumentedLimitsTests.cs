using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Server.Configuration;

namespace PlayChat.Server.Tests.Configuration;

/// <summary>docs/limits: a page a limit, with the default that the server has, and all of them in the list.</summary>
public sealed partial class DocumentedLimitsTests
{
    private static readonly string s_folder = Path.Combine(Path.GetDirectoryName(ThisFile())!, "..", "..", "..", "docs", "limits");

    public static TheoryData<string> Pages => [.. Directory.GetFiles(s_folder, "*.md").Select(static file => Path.GetFileName(file)!).Where(static name => name != "README.md")];

    [Theory]
    [MemberData(nameof(Pages))]
    public void A_page_says_the_defaults_that_the_server_has(string page)
    {
        string text = Read(page);
        string defaults = Row(text, "default");

        Setting[] settings = [.. Code().Matches(Row(text, "option")).Select(static match => match.Groups["key"].Value).Select(static key => SettingsCatalog.All.FirstOrDefault(setting => setting.Key == key)).OfType<Setting>()];

        Assert.All(settings, setting => Assert.Contains(setting.Default, defaults, StringComparison.Ordinal));
        Assert.All(new[] { "**What.**", "**Why.**", "**How to choose.**", "| when it is reached |", "| allowed |" }, part => Assert.Contains(part, text, StringComparison.Ordinal));
    }

    [Fact]
    public void Limits_that_are_no_settings_of_the_chat_server_have_the_defaults_of_the_code()
    {
        int inRow = 0;
        _ = new PlayChatConnector(FrameFormat.Packet(), new PacketSet(), router => inRow = router.MaxRateLimitedInRow);

        Assert.Equal($"| default | {new ConnectionOptions().MaxRequests} |", Row(Read("max-requests.md"), "default"));
        Assert.Equal($"| default | {inRow} |", Row(Read("rate-limited-in-row.md"), "default"));
        Assert.Contains($"after [{inRow} in a row]", Read("rate-limit.md"), StringComparison.Ordinal);
        Assert.Contains($"(default {new RoomOptions().MaxMembers})", Read("room-capacity.md"), StringComparison.Ordinal);
        Assert.Contains($"of {new ConnectionOptions().MaxOutboundBytes})", Read("message-classes.md"), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public void A_page_is_in_the_list(string page) =>
        Assert.Contains($"({page})", File.ReadAllText(Path.Combine(s_folder, "README.md")), StringComparison.Ordinal);

    [Fact]
    public void Every_setting_that_is_a_bound_has_a_page()
    {
        string pages = string.Concat(Directory.GetFiles(s_folder, "*.md").Select(File.ReadAllText));

        string[] bounds = [.. SettingsCatalog.All.Select(static setting => setting.Key).Where(static key => key.Split(':')[^1] is ['M', 'a', 'x', ..] || key.EndsWith("Timeout", StringComparison.Ordinal))];

        // How long the database may take is the driver's business, and how many records a batch has no bound that anybody meets.
        Assert.All(
            bounds.Where(static key => !key.StartsWith("Storage:", StringComparison.Ordinal) && key is not ("ChatLog:FullTimeout" or "ChatLog:StopTimeout")),
            key => Assert.Contains($"`{key}`", pages, StringComparison.Ordinal));
    }

    private static string Read(string page) => File.ReadAllText(Path.Combine(s_folder, page)).ReplaceLineEndings("\n");

    private static string Row(string text, string name) =>
        text.Split('\n').First(line => line.StartsWith($"| {name} |", StringComparison.Ordinal));

    private static string ThisFile([CallerFilePath] string path = "") => path;

    [GeneratedRegex("`(?<key>[^`]+)`", RegexOptions.NonBacktracking)]
    private static partial Regex Code();
}
