using System.Globalization;
using System.Net;
using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.Storage.Postgres;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>PostgreSQL is stopped under load and started again.</summary>
[Trait("Tier", "Full")]
public sealed class DatabaseOutageTests
{
    [Fact]
    public async Task Under_Async_chat_goes_on_and_every_message_is_in_the_table_once_and_in_order()
    {
        // Twenty times what the queue takes. Under Wait, for so small a queue is full before the file has its turn.
        const int Messages = 2000;
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresServer database = await PostgresServer.StartNewAsync();
        await using ServerProcess server =
            await StartAsync(database, "--ChatLog:Durability=Async", "--ChatLog:QueueRecords=100", "--ChatLog:FullPolicy=Wait");
        await using ChatClient client = await Players.LoginAsync(server, "talker");
        SCreateRoomRes room = await client.CreateRoomAsync("open all night");

        await SayAsync(client, room.RoomId, 1, 100);
        await database.KillAsync();
        await SayAsync(client, room.RoomId, 101, Messages - 200);
        JsonElement away = await server.WaitForFiguresAsync(static figures => Extra(figures, "chat_in_spill") > 0);
        await database.StartAsync();
        await SayAsync(client, room.RoomId, Messages - 99, 100);
        await server.WaitForFiguresAsync(static figures => Extra(figures, "chat_in_spill") == 0 && Extra(figures, "chat_queued") == 0);

        Assert.Equal(0, Extra(away, "chat_not_stored"));
        Assert.Equal(0, Extra(server.ReadFigures(), "chat_not_stored"));
        await using var store = new PostgresChatStore(database.ConnectionString);
        await store.InitializeAsync();
        List<ChatRecord> records = await Database.ReadRoomAsync(store, room.RoomId);
        Assert.Equal(
            Enumerable.Range(1, Messages).Select(static i => ((long)i, Text(i))),
            records.Select(static record => (record.Sequence, record.Text)));
    }

    [Fact]
    public async Task Under_Stored_senders_are_told_and_what_is_acknowledged_or_heard_is_in_the_table()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresServer database = await PostgresServer.StartNewAsync();
        await using ServerProcess server = await StartAsync(
            database,
            "--ChatLog:Durability=Stored",
            "--ChatLog:FullTimeout=00:00:05",
            "--Operations:Enabled=true",
            "--Operations:Address=127.0.0.1:0");
        using var http = new HttpClient { BaseAddress = await server.WaitForOperationsAsync() };
        await using ChatClient client = await Players.LoginAsync(server, "talker");
        var inbox = new Inbox(client);
        SCreateRoomRes room = await client.CreateRoomAsync("on the record");
        await SayAsync(client, room.RoomId, 1, 50);
        Assert.Equal(HttpStatusCode.OK, await ReadinessAsync(http));

        await database.KillAsync();
        ulong messageId = client.NewClientMessageId();
        ChatErrorException refused = await Assert.ThrowsAsync<ChatErrorException>(() =>
            client.ChatAsync(room.RoomId, "is anybody writing?", messageId));
        HttpStatusCode away = await ReadinessAsync(http);
        await database.StartAsync();
        SRoomChatRes repeated = await RepeatUntilStoredAsync(client, room.RoomId, "is anybody writing?", messageId);
        await SayAsync(client, room.RoomId, 52, 50);
        await Eventually.GetAsync(() => ReadinessAsync(http), static status => status == HttpStatusCode.OK);

        Assert.Equal(ErrorCode.StorageUnavailable, refused.Code);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, away);
        Assert.Equal(51, repeated.Sequence);
        await using var store = new PostgresChatStore(database.ConnectionString);
        await store.InitializeAsync();
        List<ChatRecord> records = await Database.ReadRoomAsync(store, room.RoomId);
        foreach (ChatRecord record in records)
        {
            SRoomChatNtf heard = await inbox.NextChatAsync();
            Assert.Equal((heard.Sequence, heard.Text), (record.Sequence, record.Text));
        }

        Assert.Equal(101, records.Count);
    }

    [Theory]
    [InlineData("chat_log", "Stored")] // a message waits
    [InlineData("room", "Async")] // the state of a room waits
    public async Task A_stop_while_the_database_hangs_ends_with_exit_code_1_and_says_what_is_not_stored(string table, string durability)
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresSpace space = await PostgresSpace.CreateAsync();
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--Storage:Provider=Postgres",
            $"--Storage:ConnectionString={space.ConnectionString};Command Timeout=0", // the driver waits without end
            $"--ChatLog:Durability={durability}",
            "--ChatLog:FullTimeout=00:00:05",
            "--ChatLog:StopTimeout=00:00:01",
            "--ChatLog:SpillFile=",
            "--Serilog:WriteTo:0:Name=Console");
        await using ChatClient client = await Players.LoginAsync(server, "talker");
        SCreateRoomRes room = await client.CreateRoomAsync("on the record");
        await SayAsync(client, room.RoomId, 1, 1);
        await using var store = new PostgresChatStore(space.ConnectionString);
        await store.InitializeAsync();
        await Eventually.GetAsync(() => store.ListMembershipsAsync(room.RoomId), static stored => stored.Count == 1); // written last

        await using TableLock held = await TableLock.TakeAsync(space, table);
        Task waiting = durability == "Stored"
            ? Assert.ThrowsAsync<ChatErrorException>(() => client.ChatAsync(room.RoomId, "is anybody writing?"))
            : client.CreateRoomAsync("off the record");
        await held.WaitUntilWantedAsync();
        await waiting;
        int exitCode = await server.StopAsync();

        Assert.True(exitCode == 1, server.Program.Describe());
        Assert.Contains(server.Program.OutputLines, static line => line.Contains("not stored in PostgreSQL", StringComparison.Ordinal)
            || line.Contains("changes of rooms are not in the database", StringComparison.Ordinal));
    }

    private static Task<ServerProcess> StartAsync(PostgresServer database, params string[] options) => ServerProcess.StartAsync(
        ["--Storage:Provider=Postgres", $"--Storage:ConnectionString={database.ConnectionString}", .. options]);

    private static async Task<HttpStatusCode> ReadinessAsync(HttpClient http)
    {
        using HttpResponseMessage answer = await http.GetAsync(new Uri("healthz/ready", UriKind.Relative)).WaitAsync(TestTimeouts.Hang);
        return answer.StatusCode;
    }

    private static string Text(int i) => i.ToString(CultureInfo.InvariantCulture);

    private static long Extra(JsonElement figures, string key) => (long)figures.GetProperty("extras").GetProperty(key).GetDouble();

    private static async Task SayAsync(ChatClient client, long roomId, int first, int count)
    {
        for (int i = first; i < first + count; i++)
        {
            SRoomChatRes said = await client.ChatAsync(roomId, Text(i));
            Assert.Equal(i, said.Sequence);
        }
    }

    private static async Task<SRoomChatRes> RepeatUntilStoredAsync(ChatClient client, long roomId, string text, ulong messageId)
    {
        while (true)
        {
            try
            {
                return await client.ChatAsync(roomId, text, messageId);
            }
            catch (ChatErrorException e) when (e.Code == ErrorCode.StorageUnavailable)
            {
                // Told at once, or after the server's own bounded wait: the database is still coming up.
            }
        }
    }
}
