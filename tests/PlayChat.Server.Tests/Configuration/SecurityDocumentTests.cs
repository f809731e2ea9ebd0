using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using PlayChat.Chat.Configuration;
using PlayChat.Core.Connections;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Configuration;

/// <summary>The threat model names options and their defaults; THREATS.md the tests that show what it says.</summary>
public sealed partial class SecurityDocumentTests
{
    private static readonly string s_text = Repository.Read("docs/explanation/threat-model.md");
    private static readonly string s_tests = Repository.Read("tests/THREATS.md");

    [Fact]
    public void Every_option_exists()
    {
        string[] keys = [.. Option().Matches(s_text).Select(static match => match.Groups["key"].Value).Distinct(StringComparer.Ordinal)];

        Assert.InRange(keys.Length, 40, int.MaxValue);
        Assert.All(keys, static key => Assert.NotNull(Find(key)));
    }

    [Fact]
    public void Every_default_is_that_of_the_code()
    {
        Match[] defaults = Default().Matches(s_text).ToArray();

        Assert.InRange(defaults.Length, 40, int.MaxValue);
        Assert.All(defaults, static match =>
        {
            string expected = Find(match.Groups["key"].Value)!.Default;
            long number = long.Parse(match.Groups["number"].Value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture);
            object said = match.Groups["unit"].Value switch
            {
                "second" or "seconds" => TimeSpan.FromSeconds(number),
                "minute" or "minutes" => TimeSpan.FromMinutes(number),
                "KiB" => number << 10,
                "MiB" => number << 20,
                "GiB" => number << 30,
                _ => number,
            };
            object actual = said is TimeSpan
                ? TimeSpan.Parse(expected, CultureInfo.InvariantCulture)
                : long.Parse(expected, CultureInfo.InvariantCulture);
            Assert.True(said.Equals(actual), $"{match.Value}, but the default is {expected}.");
        });
    }

    [Fact]
    public void What_the_defaults_add_up_to_is_right()
    {
        var rooms = new ChatRoomSettings();

        Assert.Contains(
            "**Two hundred accounts can take all rooms** with the defaults, at 20 rooms a minute each", s_text, StringComparison.Ordinal);
        Assert.Equal((200, 20), (rooms.MaxRooms / rooms.MaxCreatedPerPlayer, new SessionSettings().RoomsPerMinute));
        Assert.Contains("such connections hold a gigabyte", s_text, StringComparison.Ordinal); // a thousand
        Assert.InRange(1000L * new ConnectionOptions().MaxOutboundBytes, 1_000_000_000, 1_100_000_000);
    }

    [Fact]
    public void The_log_has_a_bounded_queue_for_which_nothing_waits()
    {
        string settings = Repository.Read("src/PlayChat.Server/appsettings.json");

        using JsonDocument document = JsonDocument.Parse(
            settings, new JsonDocumentOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
        JsonElement[] sinks = [.. document.RootElement.GetProperty("Serilog").GetProperty("WriteTo").EnumerateArray()];
        Assert.NotEmpty(sinks);
        Assert.All(sinks, static sink =>
        {
            Assert.Equal("Async", sink.GetProperty("Name").GetString());
            Assert.InRange(sink.GetProperty("Args").GetProperty("bufferSize").GetInt32(), 1, 100_000);
            Assert.False(sink.GetProperty("Args").GetProperty("blockWhenFull").GetBoolean());
        });
    }

    [Fact]
    public void Every_test_exists()
    {
        string[] tests = [.. Test().Matches(s_tests).Select(static match => match.Groups["name"].Value).Distinct(StringComparer.Ordinal)];
        HashSet<string> files = Directory.EnumerateFiles(Repository.PathOf("tests"), "*Tests.cs", SearchOption.AllDirectories)
            .Select(static file => Path.GetFileNameWithoutExtension(file))
            .ToHashSet(StringComparer.Ordinal);

        Assert.InRange(tests.Length, 30, int.MaxValue);
        Assert.All(tests, name => Assert.Contains(name, files));
    }

    [Fact]
    public void Every_attempt_has_its_tests()
    {
        string[] attempts = [.. FirstCells(s_text)];

        Assert.InRange(attempts.Length, 40, int.MaxValue);
        Assert.Equal(
            attempts,
            FirstCells(s_tests).Where(static cell => !cell.StartsWith("not protected: ", StringComparison.Ordinal)),
            StringComparer.Ordinal);
    }

    /// <summary>The first cell of each row of the tables, without their heads.</summary>
    private static IEnumerable<string> FirstCells(string document)
    {
        string[] lines = document.Split('\n');
        return lines.Where((line, i) => IsRow(line) && !IsRule(line) && !IsRule(lines[i + 1]))
            .Select(static line => line.Split(" | ")[0][2..]);

        static bool IsRow(string line) => line.StartsWith("| ", StringComparison.Ordinal);
        static bool IsRule(string line) => line.StartsWith("| ---", StringComparison.Ordinal);
    }

    // `Tls:` and `ProxyProtocol:` stand for the options of an endpoint.
    private static Setting? Find(string key) => SettingsCatalog.Find(key) ?? SettingsCatalog.Find("PlayChat:Endpoints:0:" + key);

    [GeneratedRegex("`(?<key>[A-Z][A-Za-z]+(:[A-Za-z]+)+)`", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Option();

    // `PlayChat:Sessions:ResumeWindow` (30 seconds), and in a list of them: (`ChatLog:QueueRecords`, 100,000; …
    [GeneratedRegex(
        "`(?<key>[A-Z][A-Za-z]+(:[A-Za-z]+)*)`(,| \\() ?(?<number>[0-9]{1,3}(,[0-9]{3})*)( (?<unit>seconds?|minutes?|KiB|MiB|GiB))?\\b",
        RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000)]
    private static partial Regex Default();

    [GeneratedRegex("`(?<name>[A-Za-z]+Tests)`", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Test();
}
