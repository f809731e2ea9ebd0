using System.Collections.Concurrent;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.Storage.Sqlite;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>Rooms full of players that talk until the server closes, and what each of them was told.</summary>
internal sealed class ChatLoad : IAsyncDisposable
{
    private const int Rooms = 3;
    private const int PlayersOfRoom = 4;
    private const int InFlight = 16;
    private const int AnswersUntilBusy = 3000;

    private readonly ConcurrentDictionary<(long Room, long Sequence), string> _answered = new();
    private readonly ConcurrentDictionary<(long Room, long Sequence), string> _seen = new();
    private readonly TaskCompletionSource _isBusy = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ChatConnector _connector;
    private readonly List<ChatClient> _clients = [];
    private readonly List<Task> _talking = [];
    private int _answers;

    private ChatLoad(ServerProcess server)
    {
        _connector = Players.Connector(server);
    }

    /// <summary>Starts the players, and waits until some thousand messages have been answered.</summary>
    public static async Task<ChatLoad> StartAsync(ServerProcess server)
    {
        var load = new ChatLoad(server);
        for (int i = 0; i < Rooms; i++)
        {
            await load.FillRoomAsync(i);
        }

        await load._isBusy.Task.WaitAsync(TestTimeouts.Hang);
        return load;
    }

    /// <summary>Waits until every player has lost its connection.</summary>
    /// <returns>How each connection ended, as its client was told.</returns>
    public async Task<IReadOnlyList<ChatDisconnectedEventArgs>> WaitForEndAsync()
    {
        await Task.WhenAll(_talking).WaitAsync(TestTimeouts.Hang);
        return await Task.WhenAll(_clients.Select(static client => client.Closed)).WaitAsync(TestTimeouts.Hang);
    }

    /// <summary>Checks that the database has every message that was acknowledged or that a player has seen.</summary>
    /// <returns>All that the players said, from the database.</returns>
    public async Task<Dictionary<(long Room, long Sequence), string>> AssertStoredAsync(ServerProcess server)
    {
        Dictionary<(long Room, long Sequence), string> stored = await ReadDatabaseAsync(server);
        AssertContains(stored, _answered);
        AssertContains(stored, _seen);
        return stored;
    }

    public ValueTask DisposeAsync() => _connector.DisposeAsync();

    private static void AssertContains(
        Dictionary<(long Room, long Sequence), string> stored, ConcurrentDictionary<(long Room, long Sequence), string> expected)
    {
        Assert.True(expected.Count >= AnswersUntilBusy, $"Only {expected.Count} messages.");
        foreach (((long Room, long Sequence) key, string text) in expected)
        {
            Assert.True(stored.TryGetValue(key, out string? found), $"Message {key} is not stored.");
            Assert.Equal(text, found);
        }
    }

    // What the server itself says is the same text each time, and no player has sent it.
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

    private async Task FillRoomAsync(int number)
    {
        long roomId = 0;
        for (int i = 0; i < PlayersOfRoom; i++)
        {
            ChatClient client = await _connector.ConnectAsync();
            _clients.Add(client);
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
                _talking.Add(TalkAsync(client, roomId, $"{name}.{j}"));
            }
        }
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

            if (Interlocked.Increment(ref _answers) == AnswersUntilBusy)
            {
                _isBusy.SetResult();
            }
        }
    }
}
