using System.Globalization;
using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The chat log as a file a day, one JSON object a line.</summary>
public sealed class ChatLogTests
{
    [Fact]
    public async Task What_is_said_is_in_the_file_of_the_day()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        string[] texts = ["안녕 👋", "two\nlines, \"quoted\" and a \\ and \u001b[31mred", new string('글', 1333)];
        await using ServerProcess server = await ServerProcess.StartAsync();
        await using ChatClient client = await Players.LoginAsync(server, "기록이");
        SCreateRoomRes room = await client.CreateRoomAsync("일기장 📔");
        DateTime before = DateTime.Now;
        foreach (string text in texts)
        {
            await client.ChatAsync(room.RoomId, text);
        }

        int exitCode = await server.StopAsync();
        DateTime after = DateTime.Now;

        Assert.True(exitCode == 0, server.Program.Describe());
        string file = Assert.Single(Directory.GetFiles(server.ChatLogDirectory));
        string[] names = [FileOf(before), FileOf(after)]; // midnight may have passed
        Assert.Contains(Path.GetFileName(file), names, StringComparer.Ordinal);
        List<JsonElement> records = File.ReadLines(file).Select(static line => JsonDocument.Parse(line).RootElement).ToList();
        Assert.Equal(
            texts.Select(ChatRules.Clean), records.Select(static record => record.GetProperty("text").GetString()), StringComparer.Ordinal);
        Assert.Equal([1, 2, 3], records.Select(static record => record.GetProperty("sequence").GetInt64()));
        Assert.All(records, static record => Assert.Equal("일기장 📔", record.GetProperty("room").GetString()));
        Assert.All(records.Take(texts.Length), record => Assert.Equal(
            (client.Login!.PlayerId, "기록이"), (record.GetProperty("player_id").GetInt64(), record.GetProperty("player").GetString())));
        Assert.All(records, static record => Assert.Equal(DateTimeKind.Utc, record.GetProperty("sent_at").GetDateTime().Kind));
    }

    private static string FileOf(DateTime day) => $"chat-{day.ToString("yyyyMMdd", CultureInfo.InvariantCulture)}.jsonl";
}
