using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>A disk that fills while people chat: database, day file, spill file and the server's own log are all on it.</summary>
[Trait("Tier", "Full")]
public sealed partial class FullDiskTests
{
    // More than the disk has space for, also for the day file alone; and where to end when nothing fails.
    private const int LeastMessages = 6000;
    private const int MostMessages = 20_000;

    private static readonly string s_filler = new('x', 1000);

    [Theory]
    [InlineData("--ChatLog:SpillFile=", "SQLite fails, its records wait")]
    [InlineData("--ChatLog:QueueRecords=6000", "takes nothing: ")]
    public async Task Chat_goes_on_the_error_is_clear_and_nothing_is_torn_or_lost(string setting, string lastToFail)
    {
        await using SmallDisk? disk = await SmallDisk.TryMountAsync(megabytes: 6);
        Assert.SkipWhen(disk is null, SmallDisk.SkipReason);
        // A writer that pauses after failures (5 seconds at most) must come back before a sender gives up.
        await using ServerProcess server = await ServerProcess.StartInAsync(
            disk.Path, "--ChatLog:FullPolicy=Wait", "--ChatLog:FullTimeout=00:01:30", setting);
        await using ChatClient client = await Players.LoginAsync(server, "talker");
        SCreateRoomRes room = await client.CreateRoomAsync("crowded");

        Task<string> failed = server.Program.WaitForLineAsync(line => line.Contains(lastToFail, StringComparison.Ordinal));
        int messages = 0;
        Task<SRoomChatRes> answered = Task.FromResult(new SRoomChatRes());
        while (messages < LeastMessages || (messages < MostMessages && !failed.IsCompleted))
        {
            Assert.Equal(messages, (await answered).Sequence);
            answered = client.ChatAsync(room.RoomId, Text(++messages));
            // A full queue makes the sender wait until the disk has space again, which it gets below.
            await Task.WhenAny(answered, failed);
        }

        string error = await failed;
        await disk.ResizeAsync(megabytes: 64);
        Assert.Equal(messages, (await answered).Sequence);
        await server.Program.WaitForLineAsync(static line => line.Contains("SQLite is back after", StringComparison.Ordinal));
        int exitCode = await server.StopAsync();

        Assert.True(exitCode == 0, server.Program.Describe());
        Assert.DoesNotContain(server.Program.OutputLines, static line => line.StartsWith("   at ", StringComparison.Ordinal));
        Assert.DoesNotContain(server.Program.OutputLines, static line => line.Contains("cannot rollback", StringComparison.Ordinal));
        Assert.True(
            error.Contains("no space", StringComparison.OrdinalIgnoreCase)
                || error.Contains("full", StringComparison.OrdinalIgnoreCase), error);
        await using IChatStore store = await Database.OpenAsync(server.DatabasePath);
        List<ChatRecord> records = await Database.ReadRoomAsync(store, room.RoomId);
        Assert.Equal(
            Enumerable.Range(1, messages).Select(static i => Text(i)),
            records.Where(static record => record.PlayerId != 0).Select(static record => record.Text),
            StringComparer.Ordinal);

        // No line of the day file is torn; one whose write failed half way is followed by the whole batch again. What it gave up, so that
        // the spill file goes on, was told.
        string[] lines = Directory.GetFiles(server.ChatLogDirectory).SelectMany(File.ReadLines).ToArray();
        HashSet<long> sequences = lines.Select(static line => JsonDocument.Parse(line).RootElement.GetProperty("sequence").GetInt64())
            .ToHashSet();
        int missing = Enumerable.Range(1, messages).Count(i => !sequences.Contains(i));
        Assert.InRange(missing, 0, server.Program.OutputLines.Sum(GapOf));
    }

    private static int GapOf(string line) =>
        GapLine().Match(line) is { Success: true } match ? int.Parse(match.Groups["records"].ValueSpan, CultureInfo.InvariantCulture) : 0;

    [GeneratedRegex(@"has a gap of (?<records>\d+) records", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex GapLine();

    private static string Text(int i) => string.Create(CultureInfo.InvariantCulture, $"{i} {s_filler}");
}
