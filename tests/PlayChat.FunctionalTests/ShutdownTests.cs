using System.Collections.Concurrent;
using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.Storage.Sqlite;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>Whoever was told that a message has its place finds it again, whatever happened after.</summary>
public sealed class ShutdownTests
{
    private const int Rooms = 3;
    private const int PlayersOfRoom = 4;
    private const int InFlight = 16;
    private const int AnswersBeforeStop = 3000;

    private readonly ConcurrentDictionary<(long Room, long Sequence), string> _answered = new();
    private readonly ConcurrentDictionary<(long Room, long Sequence), string> _seen = new();
    private readonly TaskCompletionSource _isBusy = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _answers;

    [Fact]
    public async Task SIGTERM_under_load_ends_with_exit_code_0_and_every_accepted_message_stored_once()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        await using ServerProcess server = await ServerProcess.StartAsync();
        await using ChatConnector connector = Players.Connector(server);
        List<Task> talking = [];
        for (int i = 0; i < Rooms; i++)
        {
            talking.AddRange(await FillRoomAsync(connector, i));
        }

        await _isBusy.Task.WaitAsync(TestTimeouts.Hang);
        int exitCode = await server.StopAsync();
        await Task.WhenAll(talking).WaitAsync(TestTimeouts.Hang);

        Assert.True(exitCode == 0, server.Program.Describe());
        Assert.Empty(server.Program.ErrorLines);
        Dictionary<(long Room, long Sequence), string> stored = await ReadDatabaseAsync(server);
        Dictionary<(long Room, long Sequence), string> logged = ReadChatLog(server);
        AssertContains(stored, _answered);
        AssertContains(stored, _seen);
        Assert.Equal(stored.Values.Count, stored.Values.Distinct(StringComparer.Ordinal).Count());
        Assert.Equal(stored, logged);
        Assert.Equal(0, server.ReadFigures().GetProperty("extras").GetProperty("chat_not_stored").GetDouble());
    }

    private static void AssertContains(
        Dictionary<(long Room, long Sequence), string> stored, ConcurrentDictionary<(long Room, long Sequence), string> expected)
    {
        Assert.True(expected.Count >= AnswersBeforeStop, $"Only {expected.Count} messages.");
        foreach (((long Room, long Sequence) key, string text) in expected)
        {
            Assert.True(stored.TryGetValue(key, out string? found), $"Message {key} is not stored.");
            Assert.Equal(text, found);
        }
    }

    // What the server itself says is the same text each time, and nothing that anybody sent.
    private static async Task<Dictionary<(long Room, long Sequence), string>> ReadDatabaseAsync(ServerProcess server)
    {
        await using SqliteChatStore store = await Database.OpenAsync(server.DatabasePath);
        Dictionary<(long Room, long Sequence), string> stored = [];
        foreach (RoomPosition position in await store.GetRoomPositionsAsync())
        {
            foreach (ChatRecord record in await Database.ReadRoomAsync(store, position.RoomId))
            {
                if (record.PlayerId != 0)
                {
                    stored.Add((record.RoomId, record.Sequence), record.Text);
                }
            }
        }

        return stored;
    }

    private static Dictionary<(long Room, long Sequence), string> ReadChatLog(ServerProcess server)
    {
        Dictionary<(long Room, long Sequence), string> logged = [];
        foreach (string line in Directory.EnumerateFiles(server.ChatLogDirectory).SelectMany(File.ReadLines))
        {
            using var document = JsonDocument.Parse(line);
            JsonElement record = document.RootElement;
            if (record.GetProperty("player_id").GetInt64() != 0)
            {
                logged.Add((record.GetProperty("room_id").GetInt64(), record.GetProperty("sequence").GetInt64()), record.GetProperty("text")
                    .GetString()!);
            }
        }

        return logged;
    }

    /// <returns>The talking of all players of the room; each ends when the server closes.</returns>
    private async Task<List<Task>> FillRoomAsync(ChatConnector connector, int number)
    {
        List<Task> talking = [];
        long roomId = 0;
        for (int i = 0; i < PlayersOfRoom; i++)
        {
            ChatClient client = await connector.ConnectAsync();
            string name = $"player {number}.{i}";
            await client.LoginAsync(name);
            client.ChatReceived += (_, chat) =>
            {
                if (!chat.Message.System)
                {
                    _seen[(chat.Message.RoomId, chat.Message.Sequence)] = chat.Message.Text;
                }
            };
            roomId = i == 0 ? (await client.CreateRoomAsync($"room {number}")).RoomId : (await client.JoinRoomAsync(roomId)).RoomId;
            for (int j = 0; j < InFlight; j++)
            {
                talking.Add(TalkAsync(client, roomId, $"{name}.{j}"));
            }
        }

        return talking;
    }

    private async Task TalkAsync(ChatClient client, long roomId, string prefix)
    {
        for (int i = 0; ; i++)
        {
            string text = $"{prefix}.{i} 말했다 📢";
            try
            {
                SRoomChatRes answer = await client.ChatAsync(roomId, text);
                _answered[(answer.RoomId, answer.Sequence)] = text;
            }
            catch (ChatConnectionClosedException)
            {
                return; // the server has stopped
            }

            if (Interlocked.Increment(ref _answers) == AnswersBeforeStop)
            {
                _isBusy.SetResult();
            }
        }
    }
}
