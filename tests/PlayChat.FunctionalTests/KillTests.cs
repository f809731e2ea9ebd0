using System.Collections.Concurrent;
using System.Globalization;
using Microsoft.Data.Sqlite;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The promise about the chat log, kept by a server that is killed under load, again and again in one folder.</summary>
public sealed class KillTests
{
    private const int Kills = 3;
    private const int KillsWhileAway = 2;
    private const int Players = 4;
    private const int InFlight = 16;

    // Small beside what is said, so that what "at most" means can be seen. Under Wait nobody is refused: what is seen and not stored was
    // waiting.
    private const int QueueRecords = 500;
    private const int MostWaiting = QueueRecords + (Players * InFlight);

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Stored_loses_nothing_that_any_client_has_seen()
    {
        using var folder = new TemporaryDirectory();
        for (int kill = 0; kill < Kills; kill++)
        {
            (Run run, List<ChatRecord> stored) = await KillUnderLoadAsync(folder.Path, kill, "Stored");

            Dictionary<long, string> texts = stored.ToDictionary(static record => record.Sequence, static record => record.Text);
            Assert.All(run.Seen, seen => Assert.Equal(seen.Value, texts.GetValueOrDefault(seen.Key)));
            Assert.All(run.Acknowledged, acknowledged => Assert.Equal(acknowledged.Value, texts.GetValueOrDefault(acknowledged.Key)));
        }
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Async_loses_no_more_than_was_waiting_and_only_the_newest()
    {
        using var folder = new TemporaryDirectory();
        for (int kill = 0; kill < Kills; kill++)
        {
            (Run run, List<ChatRecord> stored) = await KillUnderLoadAsync(folder.Path, kill, "Async");

            HashSet<long> kept = stored.Select(static record => record.Sequence).ToHashSet();
            long[] lost = run.Seen.Keys.Where(sequence => !kept.Contains(sequence)).Order().ToArray();
            Assert.InRange(lost.Length, 0, MostWaiting);
            long newest = stored.Count == 0 ? 0 : stored[^1].Sequence;
            Assert.All(lost, sequence => Assert.True(sequence > newest));
        }
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Async_loses_no_more_than_was_waiting_and_only_the_newest_while_the_database_is_away()
    {
        using var folder = new TemporaryDirectory();
        for (int kill = 0; kill < KillsWhileAway; kill++)
        {
            (Run run, List<ChatRecord> stored) = await KillUnderLoadAsync(folder.Path, kill, "Async", isDatabaseAway: true);

            Assert.InRange(stored.Count, run.Seen.Count - MostWaiting, int.MaxValue);
            long newest = stored[^1].Sequence;
            Dictionary<long, string> texts = stored.ToDictionary(static record => record.Sequence, static record => record.Text);
            Assert.All(
                run.Seen.Where(seen => seen.Key <= newest), seen => Assert.Equal(seen.Value, texts.GetValueOrDefault(seen.Key)));
        }
    }

    [Theory]
    [InlineData("Stored")]
    [InlineData("Async", Traits = ["Tier", "Full"])]
    public async Task What_was_sent_before_a_kill_and_is_sent_again_after_it_is_stored_once(string durability)
    {
        // Fewer than a room remembers after a restart, and more than are said before the kill.
        const int EachLane = 50;
        const int KillAfter = 300;
        using var folder = new TemporaryDirectory();
        await using ServerProcess server = await ServerProcess.StartInAsync(folder.Path, $"--ChatLog:Durability={durability}");
        await using ChatClient client = await Harness.Players.LoginAsync(server, "talker");
        SCreateRoomRes room = await client.CreateRoomAsync("here to stay");
        (ulong Id, string Text)[] messages = Enumerable.Range(0, InFlight * EachLane)
            .Select(i => (client.NewClientMessageId(), i.ToString(CultureInfo.InvariantCulture)))
            .ToArray();
        var run = new Run(KillAfter);
        client.ChatReceived += (_, chat) => run.OnSeen(chat.Message);

        Task talking = Task.WhenAll(messages.Chunk(EachLane).Select(lane => SendAsync(client, room.RoomId, lane, run)));
        await run.KillNow.WaitAsync(TestTimeouts.Hang);
        server.Program.Kill();
        await server.Program.WaitForExitAsync();
        await talking.WaitAsync(TestTimeouts.Hang);

        await using ServerProcess next = await ServerProcess.StartInAsync(folder.Path, $"--ChatLog:Durability={durability}");
        await using ChatClient back = await Harness.Players.LoginAsync(next, "talker");
        await back.JoinRoomAsync(room.RoomId);
        var again = new Run(int.MaxValue);
        await Task.WhenAll(messages.Chunk(EachLane).Select(lane => SendAsync(back, room.RoomId, lane, again)));
        await back.LeaveRoomAsync(room.RoomId);
        await next.StopAsync();

        await using IChatStore store = await Database.OpenAsync(next.DatabasePath);
        List<ChatRecord> stored = await Database.ReadRoomAsync(store, room.RoomId);
        Assert.Equal(
            messages.Select(static message => message.Text).Order(StringComparer.Ordinal),
            stored.Where(static record => record.PlayerId != 0).Select(static record => record.Text).Order(StringComparer.Ordinal));
        if (durability == "Stored")
        {
            Assert.NotEmpty(run.Acknowledged);
            Assert.All(run.Acknowledged, acknowledged => Assert.Equal(acknowledged.Value, again.Acknowledged[acknowledged.Key]));
        }
    }

    private static async Task<(Run Run, List<ChatRecord> Stored)> KillUnderLoadAsync(
        string folder, int kill, string durability, bool isDatabaseAway = false)
    {
        // The seed says when; the messages say where it is.
        int killAfter = (isDatabaseAway ? 2 * MostWaiting : 50) + new Random(kill).Next(3000);
        await using ServerProcess server = await ServerProcess.StartInAsync(
            folder, $"--ChatLog:Durability={durability}", "--ChatLog:FullPolicy=Wait",
            $"--ChatLog:QueueRecords={QueueRecords.ToString(CultureInfo.InvariantCulture)}");
        var run = new Run(killAfter);
        ChatClient[] clients = await Task.WhenAll(Enumerable.Range(0, Players).Select(
            player => Harness.Players.LoginAsync(server, string.Create(CultureInfo.InvariantCulture, $"kill{kill}-{player}"))));
        SCreateRoomRes room = await clients[0].CreateRoomAsync($"here to stay {kill}");
        await Task.WhenAll(clients.Skip(1).Select(client => client.JoinRoomAsync(room.RoomId)));
        await using SqliteConnection? away = isDatabaseAway ? await TakeDatabaseAwayAsync(server) : null;
        Array.ForEach(clients, client => client.ChatReceived += (_, chat) => run.OnSeen(chat.Message));

        Task talking = Task.WhenAll(clients.SelectMany(
            client => Enumerable.Range(0, InFlight).Select(lane => TalkAsync(client, room.RoomId, lane, run))));
        await run.KillNow.WaitAsync(TestTimeouts.Hang);
        server.Program.Kill();
        await server.Program.WaitForExitAsync();
        await talking.WaitAsync(TestTimeouts.Hang);
        await Task.WhenAll(clients.Select(static client => client.DisposeAsync().AsTask()));
        if (away is not null)
        {
            Assert.Equal(0, CountStored(away, room.RoomId));
            await away.CloseAsync(); // here it is again
        }

        // The next server takes up what the file beside the database holds, and the room goes on behind all that anybody has seen.
        await using ServerProcess next = await ServerProcess.StartInAsync(folder, $"--ChatLog:Durability={durability}");
        await using (ChatClient back = await Harness.Players.LoginAsync(next, "back"))
        {
            SJoinRoomRes joined = await back.JoinRoomAsync(room.RoomId);
            Assert.Equal($"here to stay {kill}", joined.Name);
            Assert.True(joined.LatestSequence > run.Seen.Keys.Max());
        }

        await using IChatStore store = await Database.OpenAsync(next.DatabasePath);
        List<ChatRecord> stored = await Database.ReadRoomAsync(store, room.RoomId);
        stored.RemoveAll(record => record.PlayerId == 0); // the one who has looked has left
        return (run, stored);
    }

    /// <summary>Keeps the server from writing to its database, from now until the connection closes.</summary>
    private static async Task<SqliteConnection> TakeDatabaseAwayAsync(ServerProcess server)
    {
        var connection = new SqliteConnection($"Data Source={server.DatabasePath};Pooling=False");
        await connection.OpenAsync();
        await using SqliteCommand command = connection.CreateCommand();
        command.CommandText = "BEGIN IMMEDIATE";
        await command.ExecuteNonQueryAsync();
        return connection;
    }

    /// <summary>How much of what players said is in the database.</summary>
    private static long CountStored(SqliteConnection connection, long roomId)
    {
        using SqliteCommand command = connection.CreateCommand();
        command.CommandText = "SELECT COUNT(*) FROM chat_log WHERE room_id = @roomId AND player_id <> 0";
        command.Parameters.AddWithValue("@roomId", roomId);
        return (long)command.ExecuteScalar()!;
    }

    /// <summary>Sends messages one after the other, until the connection breaks.</summary>
    private static async Task SendAsync(ChatClient client, long roomId, (ulong Id, string Text)[] messages, Run run)
    {
        try
        {
            foreach ((ulong id, string text) in messages)
            {
                SRoomChatRes answer = await client.ChatAsync(roomId, text, id);
                run.Acknowledged[answer.Sequence] = text;
            }
        }
        catch (ChatConnectionClosedException)
        {
            // Killed, which is what this is about.
        }
    }

    private static async Task TalkAsync(ChatClient client, long roomId, int lane, Run run)
    {
        for (int i = 0; ; i++)
        {
            string text = string.Create(CultureInfo.InvariantCulture, $"{client.Login!.PlayerId}/{lane}/{i}");
            try
            {
                SRoomChatRes answer = await client.ChatAsync(roomId, text);
                run.Acknowledged[answer.Sequence] = text;
            }
            catch (ChatConnectionClosedException)
            {
                return; // killed, which is what this is about
            }
        }
    }

    /// <summary>What clients have seen of one server's life.</summary>
    private sealed class Run(int killAfter)
    {
        private readonly TaskCompletionSource _killNow = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ConcurrentDictionary<long, string> Seen { get; } = [];

        public ConcurrentDictionary<long, string> Acknowledged { get; } = [];

        public Task KillNow => _killNow.Task;

        public void OnSeen(SRoomChatNtf message)
        {
            if (!message.System && Seen.TryAdd(message.Sequence, message.Text) && Seen.Count >= killAfter)
            {
                _killNow.TrySetResult();
            }
        }
    }
}
