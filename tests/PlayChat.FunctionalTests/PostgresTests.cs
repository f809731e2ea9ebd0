using System.Globalization;
using System.Text.Json;
using Npgsql;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.Storage.Postgres;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The chat server on PostgreSQL.</summary>
public sealed class PostgresTests
{
    private const string RoomName = "수다방 ☕";

    [Fact]
    public async Task What_is_said_is_in_the_table_once_and_everybody_is_known_the_day_after()
    {
        const int MessagesEach = 200;
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresSpace space = await PostgresSpace.CreateAsync();
        using var folder = new TemporaryDirectory();
        (long playerId, long roomId) = await TalkAsync(space, folder, MessagesEach);

        Assert.Equal((2L * MessagesEach) + 2, await space.ExecuteAsync("SELECT COUNT(*) FROM chat_log")); // two have left
        await using (var store = new PostgresChatStore(space.ConnectionString))
        {
            await store.InitializeAsync();
            List<ChatRecord> records = await Database.ReadRoomAsync(store, roomId);
            Assert.Equal(Enumerable.Range(2, records.Count).Select(static i => (long)i), records.Select(static record => record.Sequence));
            Assert.Equal(
                Enumerable.Range(0, MessagesEach).Select(static i => Text(i)),
                records.Where(record => record.PlayerId == playerId).Select(static record => record.Text),
                StringComparer.Ordinal);
            Assert.Equal((RoomName, records[^1].Sequence),
                await store.GetRoomPositionAsync(roomId) is { } end ? (end.RoomName, end.LastSequence) : default);
        }

        await using ServerProcess again = await StartAsync(space, folder);
        await using ChatClient first = await Players.LoginAsync(again, "민수", "비밀번호 1");
        Assert.Equal(playerId, first.Login!.PlayerId);
        Assert.True((await first.CreateRoomAsync($"{RoomName} 2")).RoomId > roomId);
        await using ChatClient stranger = await Players.ConnectAsync(again);
        ChatErrorException refused = await Assert.ThrowsAsync<ChatErrorException>(() => stranger.LoginAsync("민수", "wrong"));
        Assert.Equal(ErrorCode.LoginRefused, refused.Code);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task A_server_that_cannot_log_in_to_its_database_says_so_in_one_line_without_the_password()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresSpace space = await PostgresSpace.CreateAsync();
        using var folder = new TemporaryDirectory();
        string wrong = new NpgsqlConnectionStringBuilder(space.ConnectionString) { Password = "hunter2" }.ConnectionString;

        await using var program = ProgramProcess.Start(
            ProgramFile.Server, folder.Path, ["--port", "0", "--Storage:Provider=Postgres", $"--Storage:ConnectionString={wrong}"]);

        Assert.Equal(1, await program.WaitForExitAsync());
        string error = Assert.Single(program.ErrorLines);
        Assert.StartsWith("The PostgreSQL database ", error, StringComparison.Ordinal);
        Assert.Contains("refuses: password authentication failed", error, StringComparison.Ordinal);
        Assert.DoesNotContain("hunter2", program.Describe(), StringComparison.Ordinal);
    }

    private static string Text(int i) => string.Create(CultureInfo.InvariantCulture, $"안녕 {i} 👋🏽");

    private static Task<ServerProcess> StartAsync(PostgresSpace space, TemporaryDirectory folder) =>
        ServerProcess.StartInAsync(folder.Path, "--Storage:Provider=Postgres", $"--Storage:ConnectionString={space.ConnectionString}");

    private static async Task<(long Player, long Room)> TalkAsync(PostgresSpace space, TemporaryDirectory folder, int messagesEach)
    {
        await using ServerProcess server = await StartAsync(space, folder);
        await using ChatClient first = await Players.LoginAsync(server, "민수", "비밀번호 1");
        await using ChatClient second = await Players.LoginAsync(server, "영희 🌸", "비밀번호 2");
        SCreateRoomRes room = await first.CreateRoomAsync(RoomName);
        await second.JoinRoomAsync(room.RoomId);
        await Task.WhenAll(new[] { first, second }.Select(async client =>
        {
            for (int i = 0; i < messagesEach; i++)
            {
                await client.ChatAsync(room.RoomId, Text(i));
            }
        })).WaitAsync(TestTimeouts.Hang);
        await first.LeaveRoomAsync(room.RoomId);
        await second.LeaveRoomAsync(room.RoomId);
        long playerId = first.Login!.PlayerId;

        int exitCode = await server.StopAsync();

        Assert.True(exitCode == 0, server.Program.Describe());
        JsonElement extras = server.ReadFigures().GetProperty("extras");
        Assert.Equal((2 * messagesEach) + 2, extras.GetProperty("db_rows").GetInt64());
        Assert.Equal(0, extras.GetProperty("db_failures").GetInt64());
        Assert.True(extras.GetProperty("db_append_ms").GetDouble() > 0);
        string password = new NpgsqlConnectionStringBuilder(space.ConnectionString).Password!;
        Assert.DoesNotContain(password, server.Program.Describe(), StringComparison.Ordinal);
        Assert.All(
            Directory.EnumerateFiles(folder.Path, "*", SearchOption.AllDirectories),
            file => Assert.DoesNotContain(password, File.ReadAllText(file), StringComparison.Ordinal));
        return (playerId, room.RoomId);
    }
}
