using System.Globalization;
using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>A disk that fills while people chat: database, day file and the server's own log are all on it.</summary>
public sealed class FullDiskTests
{
    private const int Messages = 6000;

    private static readonly string s_filler = new('x', 1000);

    [Fact]
    public async Task Chat_goes_on_the_error_is_clear_and_nothing_is_torn_or_lost()
    {
        await using SmallDisk? disk = await SmallDisk.TryMountAsync(megabytes: 6);
        Assert.SkipWhen(disk is null, SmallDisk.SkipReason);
        await using ServerProcess server = await ServerProcess.StartInAsync(disk.Path, "--ChatLog:SpillFile=");
        await using ChatClient client = await Players.LoginAsync(server, "talker");
        SCreateRoomRes room = await client.CreateRoomAsync("crowded");

        for (int i = 1; i <= Messages; i++)
        {
            Assert.Equal(i, (await client.ChatAsync(room.RoomId, Text(i))).Sequence);
        }

        string error = await server.Program.WaitForLineAsync(static line => line.Contains("fails, its records wait", StringComparison.Ordinal));
        await disk.ResizeAsync(megabytes: 64);
        await server.Program.WaitForLineAsync(static line => line.Contains("is back after", StringComparison.Ordinal));
        int exitCode = await server.StopAsync();

        Assert.True(exitCode == 0, server.Program.Describe());
        Assert.True(
            error.Contains("no space", StringComparison.OrdinalIgnoreCase) || error.Contains("full", StringComparison.OrdinalIgnoreCase), error);
        await using IChatStore store = await Database.OpenAsync(server.DatabasePath);
        List<ChatRecord> records = await Database.ReadRoomAsync(store, room.RoomId);
        Assert.Equal(
            Enumerable.Range(1, Messages).Select(static i => Text(i)),
            records.Where(static record => record.PlayerId != 0).Select(static record => record.Text),
            StringComparer.Ordinal);

        // No line of the day file is torn; one whose write failed half way is followed by the whole batch again.
        string[] lines = Directory.GetFiles(server.ChatLogDirectory).SelectMany(File.ReadLines).ToArray();
        HashSet<long> sequences = lines.Select(static line => JsonDocument.Parse(line).RootElement.GetProperty("sequence").GetInt64()).ToHashSet();
        Assert.True(sequences.IsSupersetOf(Enumerable.Range(1, Messages).Select(static i => (long)i)));
    }

    private static string Text(int i) => string.Create(CultureInfo.InvariantCulture, $"{i} {s_filler}");
}
