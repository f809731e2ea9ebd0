using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Protocol;
using PlayChat.RecordedServer;
using PlayChat.Recording;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Operations.Admin;

/// <summary>An operator records a room of a user beside those of the chat.</summary>
public sealed class RecordingTests : IDisposable
{
    private readonly TemporaryDirectory _folder = new();
    private readonly RecordingLogger _log = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_room_of_ones_own_is_recorded_and_its_file_is_listed_shown_and_replayed()
    {
        await using AdminServer admin = await StartAsync();
        await using Player ann = await Player.SitAsync(admin, "Ann");
        long room = TableOf(admin).Id;

        string started = await admin.DoAsync(HttpMethod.Post, "/recordings", $$"""{"room":{{room}},"maxSeconds":60,"maxBytes":1000000}""");
        string file = Assert.Single(await FilesAsync(admin)).GetProperty("file").GetString()!;
        Assert.Equal(room, (await FilesAsync(admin))[0].GetProperty("roomId").GetInt64());
        await ann.RollAsync();
        await using (Player bob = await Player.SitAsync(admin, "Bob"))
        {
            await bob.RollAsync();
        }

        await Eventually.GetAsync(() => FilesAsync(admin), static files => files[0].GetProperty("bytes").GetInt64() > 0);
        await Eventually.GetAsync(
            () => admin.GetAsync($"/recordings/{file}/events?kinds=end"), static page => page.GetProperty("items").GetArrayLength() > 0);
        await TableOf(admin).PostAsync(Table.Tipped, new Tip(7));
        string stopped = await admin.DoAsync(HttpMethod.Post, $"/recordings/{file}/stop");
        JsonElement page = await admin.GetAsync($"/recordings/{file}/events?limit=1000");

        Assert.Equal($"Room {room} is recorded in {file}, for at most 60 seconds and 1000000 bytes.", started);
        Assert.StartsWith($"The recording {file} has ended (Stopped): ", stopped, StringComparison.Ordinal);
        Assert.Equal(JsonValueKind.Null, (await FilesAsync(admin))[0].GetProperty("roomId").ValueKind);
        Assert.Equal(
            ["table", typeof(Table).FullName, "True", "Stopped"],
            ((string[])["roomName", "roomType", "hasSamePackets", "end"]).Select(name => page.GetProperty(name).ToString()),
            StringComparer.Ordinal);
        Assert.EndsWith(" (Ann)", Assert.Single(page.GetProperty("members").EnumerateArray()).GetString(), StringComparison.Ordinal);
        JsonElement[] events = [.. page.GetProperty("items").EnumerateArray()];
        Assert.Equal(Enumerable.Range(1, events.Length), events.Select(static one => one.GetProperty("number").GetInt32()));
        Assert.Contains(events, static one => KindOf(one) == "join" && SessionOf(one).EndsWith("(Bob)", StringComparison.Ordinal));
        Assert.Contains(events, static one => KindOf(one) == "end" && SessionOf(one).EndsWith("(Bob)", StringComparison.Ordinal));
        Assert.Contains(
            events, static one => TextOf(one) == "the job tipped" && ContentOf(one).Contains("\"Coins\": 7", StringComparison.Ordinal));
        Assert.Contains(events, static one => KindOf(one) == "draws" && TextOf(one) == "random numbers drawn: 1");
        Assert.Contains(
            events, static one => KindOf(one) == "sent" && TextOf(one).StartsWith("Rolled to all", StringComparison.Ordinal)
                && ContentOf(one).Contains("\"the house\"", StringComparison.Ordinal));
        JsonElement roll = events.First(static one => TextOf(one).StartsWith("the handler of Roll from", StringComparison.Ordinal));
        Assert.Equal("{\n  \"Sides\": 6,\n  \"Card\": \"\"\n}", ContentOf(roll));
        string[] lines = [.. _log.Entries.Where(static entry => entry.Event == "AdminAction").Select(static entry => entry.Text)];
        Assert.Contains("POST /api/v1/recordings", lines[0], StringComparison.Ordinal);
        Assert.Contains($"POST /api/v1/recordings/{file}/stop", lines[1], StringComparison.Ordinal);

        byte[] content = await admin.Http.GetByteArrayAsync(OperationsServer.Path($"/api/v1/recordings/{file}"));
        string copy = Path.Combine(_folder.Path, "copy.pcr");
        await File.WriteAllBytesAsync(copy, content);
        RoomReplayResult<Table> replay = await RoomReplay.RunAsync<Table>(
            copy, static server => server.UsePackets(Table.Packets).OnPackets(Table.Map), new() { Make = static made => new Table(made) });
        replay.ThrowIfDiverged();
        Assert.Equal(RecordingEnd.Stopped, replay.End);
    }

    [Fact]
    public async Task Events_are_read_by_pages_kinds_and_text_also_of_a_file_that_is_sent()
    {
        await using AdminServer admin = await StartAsync();
        await using Player ann = await Player.SitAsync(admin, "Ann");
        string file = await RecordAsync(admin, ann);

        JsonElement all = await admin.GetAsync($"/recordings/{file}/events?limit=1000");
        JsonElement first = await admin.GetAsync($"/recordings/{file}/events?limit=2");
        JsonElement second = await admin.GetAsync($"/recordings/{file}/events?limit=2&after={first.GetProperty("nextAfter")}");
        JsonElement packets = await admin.GetAsync($"/recordings/{file}/events?kinds=packet,join");
        JsonElement rolls = await admin.GetAsync($"/recordings/{file}/events?text=HANDLER%20OF%20roll");
        byte[] content = await admin.Http.GetByteArrayAsync(OperationsServer.Path($"/api/v1/recordings/{file}"));
        using HttpResponseMessage sent = await SendAsync(admin, "/recordings/events?limit=1000", content);

        Assert.Equal(JsonValueKind.Null, all.GetProperty("nextAfter").ValueKind);
        Assert.Equal(2, first.GetProperty("nextAfter").GetInt64());
        Assert.Equal(JsonValueKind.Null, first.GetProperty("end").ValueKind);
        Assert.Equal([3, 4], second.GetProperty("items").EnumerateArray().Select(static one => one.GetProperty("number").GetInt32()));
        Assert.All(packets.GetProperty("items").EnumerateArray(), static one => Assert.Equal("packet", KindOf(one)));
        Assert.NotEmpty(packets.GetProperty("items").EnumerateArray());
        Assert.Equal(packets.GetProperty("items").ToString(), rolls.GetProperty("items").ToString());
        Assert.Equal(all.ToString(), await sent.Content.ReadAsStringAsync());
        using HttpResponseMessage noFile = await SendAsync(admin, "/recordings/events", "# PlayChat"u8.ToArray());
        Assert.Equal(HttpStatusCode.BadRequest, noFile.StatusCode);
        Assert.Contains("The file is no recording of a room.", await noFile.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        using HttpResponseMessage empty = await SendAsync(admin, "/recordings/events", []);
        Assert.Contains("The file is empty so far.", await empty.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        using HttpResponseMessage large = await SendAsync(admin, "/recordings/events", new byte[(1 << 20) + 1]);
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, large.StatusCode);
    }

    [Fact]
    public async Task A_recording_ends_at_its_bound_of_bytes_and_an_operator_sees_why()
    {
        await using AdminServer admin = await StartAsync();
        await using Player ann = await Player.SitAsync(admin, "Ann");
        await admin.DoAsync(HttpMethod.Post, "/recordings", $$"""{"room":{{TableOf(admin).Id}},"maxBytes":4096}""");
        string file = (await FilesAsync(admin))[0].GetProperty("file").GetString()!;

        while ((await FilesAsync(admin))[0].GetProperty("roomId").ValueKind != JsonValueKind.Null)
        {
            await ann.RollAsync();
        }

        Assert.InRange((await FilesAsync(admin))[0].GetProperty("bytes").GetInt64(), 3000, 4096);
        JsonElement page = await admin.GetAsync($"/recordings/{file}/events?limit=1000");
        Assert.Equal("MaxBytes", page.GetProperty("end").GetString());
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Post, $"/recordings/{file}/stop", "{}");
        await ann.RollAsync(); // the room keeps running
    }

    [Fact]
    public async Task What_is_not_recorded_is_refused_with_the_reason()
    {
        await using AdminServer admin = await StartAsync();
        await using Player ann = await Player.SitAsync(admin, "Ann");
        await using TestClient kim = await admin.Server.LoginAsync("Kim");
        long chat = (await kim.CreateAsync("lobby")).RoomId;
        long blank = admin.Server.Server.Rooms.Create("blank", static context => new Blank(context)).Id;
        string file = await RecordAsync(admin, ann);
        await admin.DoAsync(HttpMethod.Post, "/recordings", $$"""{"room":{{TableOf(admin).Id}}}""");

        Assert.StartsWith(
            $"Room {chat} is one of the chat. Its messages and members are in the database,", await RefuseAsync(409, chat),
            StringComparison.Ordinal);
        Assert.Contains("override OnSnapshot and OnRestore", await RefuseAsync(409, blank), StringComparison.Ordinal);
        Assert.Equal("The room 'table' is recorded already. Stop that recording first.", await RefuseAsync(409, TableOf(admin).Id));
        await RefuseAsync(404, 12345);
        await RefuseAsync(400, TableOf(admin).Id, ",\"maxBytes\":4095");
        await RefuseAsync(400, TableOf(admin).Id, ",\"maxSeconds\":-1e300");
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Get, "/recordings/none.pcr");
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Get, "/recordings/..%2F..%2Fplaychat.db/events");
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Get, "/recordings/playchat.db");
        Assert.StartsWith(
            "kinds has 'jion'; allowed are join, leave,",
            await admin.FailAsync(HttpStatusCode.BadRequest, HttpMethod.Get, $"/recordings/{file}/events?kinds=jion"),
            StringComparison.Ordinal);
        await admin.FailAsync(HttpStatusCode.BadRequest, HttpMethod.Get, $"/recordings/{file}/events?limit=1001");
        await kim.SayAsync(chat, "still here"); // the chat's rooms run as before on a server that records

        Task<string> RefuseAsync(int status, long room, string rest = "") =>
            admin.FailAsync((HttpStatusCode)status, HttpMethod.Post, "/recordings", $$"""{"room":{{room}}{{rest}}}""");
    }

    [Fact]
    public async Task A_server_without_recordings_says_what_to_do()
    {
        await using AdminServer admin = await AdminServer.StartAsync();

        JsonElement list = await admin.GetAsync("/recordings");
        string refused = await admin.FailAsync(HttpStatusCode.Conflict, HttpMethod.Post, "/recordings", """{"room":1}""");

        Assert.Equal(0, list.GetProperty("items").GetArrayLength());
        Assert.StartsWith(
            "This server records no rooms. Call UseRecording", list.GetProperty("problem").GetString(), StringComparison.Ordinal);
        Assert.Equal(list.GetProperty("problem").GetString(), refused);
    }

    private static string KindOf(JsonElement one) => one.GetProperty("kind").GetString()!;

    private static string TextOf(JsonElement one) => one.GetProperty("text").GetString()!;

    private static string SessionOf(JsonElement one) => one.GetProperty("session").GetString() ?? "";

    private static string ContentOf(JsonElement one) => one.GetProperty("content").GetString() ?? "";

    private static Table TableOf(AdminServer admin) => admin.Server.Server.Rooms.Get<Table>(Table.Title);

    private static async Task<JsonElement[]> FilesAsync(AdminServer admin) =>
        [.. (await admin.GetAsync("/recordings")).GetProperty("items").EnumerateArray()];

    /// <summary>Records two rolls.</summary>
    private static async Task<string> RecordAsync(AdminServer admin, Player player)
    {
        await admin.DoAsync(HttpMethod.Post, "/recordings", $$"""{"room":{{TableOf(admin).Id}}}""");
        await player.RollAsync();
        await player.RollAsync();
        string file = (await FilesAsync(admin))[0].GetProperty("file").GetString()!;
        await admin.DoAsync(HttpMethod.Post, $"/recordings/{file}/stop");
        return file;
    }

    private static async Task<HttpResponseMessage> SendAsync(AdminServer admin, string path, byte[] file)
    {
        using var content = new ByteArrayContent(file);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
        return await admin.Http.PostAsync(OperationsServer.Path("/api/v1" + path), content).WaitAsync(TestTimeouts.Hang);
    }

    private Task<AdminServer> StartAsync() => AdminServer.StartExtendedAsync(chat =>
    {
        chat.Services.AddSingleton<ILoggerFactory>(_log);
        Table.AddTo(chat, new RoomRecordings(options => (options.Folder, options.RecordsBodies) = (_folder.Path, true)));
    });

    private sealed class Blank(RoomContext context) : Room<RoomMember>(context)
    {
        protected override JoinDecision<RoomMember> OnJoining(Core.Sessions.Session session) => new RoomMember(session);
    }

    /// <summary>A player at the table.</summary>
    private sealed class Player : IAsyncDisposable
    {
        private readonly PlayChatConnector _connector;
        private readonly SemaphoreSlim _rolled = new(0);
        private readonly string _name;
        private Connection _connection = null!; // set by SitAsync

        private Player(AdminServer admin, string name)
        {
            _name = name;
            _connector = new PlayChatConnector(
                FrameFormat.Packet(ChatLimits.MaxServerFrameBytes),
                Table.Packets,
                router => router.MapPacket<Rolled>((_, rolled) =>
                {
                    if (rolled.Name == _name)
                    {
                        _rolled.Release();
                    }
                }),
                transport: admin.Server.Transport);
        }

        internal static async Task<Player> SitAsync(AdminServer admin, string name)
        {
            var player = new Player(admin, name);
            Connection connection = await player._connector.ConnectAsync(admin.Server.EndPoint).WaitAsync(TestTimeouts.Hang);
            player._connection = connection;
            await connection.RequestAsync<SLoginRes>(new CLoginReq { Name = name }, TestTimeouts.Hang);
            Assert.Null((await connection.RequestAsync<Seated>(new Sit(name), TestTimeouts.Hang)).Refusal);
            return player;
        }

        /// <summary>Rolls a die, and waits until the room has told all members.</summary>
        internal async Task RollAsync()
        {
            _connection.SendPacket(new Roll(6, "4111-1111"));
            await _rolled.WaitAsync().WaitAsync(TestTimeouts.Hang);
        }

        public async ValueTask DisposeAsync()
        {
            _connection.Close();
            await _connection.Closed.WaitAsync(TestTimeouts.Hang);
            await _connector.DisposeAsync();
            _rolled.Dispose();
        }
    }
}
