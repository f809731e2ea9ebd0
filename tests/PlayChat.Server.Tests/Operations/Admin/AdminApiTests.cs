using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Core;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Operations.Admin;

/// <summary>The admin API over HTTP, against a whole server.</summary>
public sealed class AdminApiTests
{
    [Fact]
    public async Task Sessions_are_listed_by_pages_and_filters_and_shown_in_detail()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        await using TestClient kim = await admin.Server.LoginAsync("Kim");
        await using TestClient lee = await admin.Server.LoginAsync("Lee");
        await using TestClient anonymous = await admin.Server.ConnectAsync();
        SCreateRoomRes room = await kim.CreateAsync("lobby");
        await kim.SayAsync(room.RoomId, "hello");

        JsonElement first = await admin.GetAsync("/sessions?limit=2");
        long next = first.GetProperty("nextAfter").GetInt64();
        JsonElement rest = await admin.GetAsync($"/sessions?limit=2&after={next}");
        JsonElement found = (await admin.GetAsync("/sessions?text=ki")).GetProperty("items")[0];
        JsonElement detail = await admin.GetAsync($"/sessions/{found.GetProperty("id").GetInt64()}?measureMs=1");
        JsonElement members = await admin.GetAsync($"/sessions?room={room.RoomId}&sort=sent");
        JsonElement strangers = await admin.GetAsync("/sessions?state=anonymous");

        Assert.Equal(2, first.GetProperty("items").GetArrayLength());
        Assert.Equal(1, rest.GetProperty("items").GetArrayLength());
        Assert.Equal(JsonValueKind.Null, rest.GetProperty("nextAfter").ValueKind);
        Assert.Equal("Kim", found.GetProperty("userName").GetString());
        Assert.Equal("lobby", found.GetProperty("rooms")[0].GetProperty("name").GetString());
        Assert.True(detail.GetProperty("bytesReceived").GetInt64() > 0);
        Assert.True(detail.GetProperty("framesSent").GetInt64() >= 3);
        Assert.Equal(JsonValueKind.Object, detail.GetProperty("rates").ValueKind);
        Assert.Equal(1, members.GetProperty("items").GetArrayLength());
        Assert.Equal(1, strangers.GetProperty("items").GetArrayLength());
    }

    [Fact]
    public async Task Rooms_are_listed_by_load_and_shown_with_their_members()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        await using TestClient kim = await admin.Server.LoginAsync("Kim");
        SCreateRoomRes quiet = await kim.CreateAsync("quiet");
        SCreateRoomRes loud = await kim.CreateAsync("loud");
        await using TestClient lee = await admin.Server.LoginAsync("Lee");
        await lee.JoinAsync(loud.RoomId);

        JsonElement rooms = await admin.GetAsync("/rooms?sort=members&measureMs=1");
        JsonElement detail = await admin.GetAsync($"/rooms/{loud.RoomId}");
        JsonElement page = await admin.GetAsync("/rooms?limit=1");

        Assert.Equal("loud", rooms.GetProperty("items")[0].GetProperty("name").GetString());
        Assert.Equal(2, rooms.GetProperty("matched").GetInt64());
        Assert.Equal(JsonValueKind.Number, rooms.GetProperty("items")[0].GetProperty("jobsPerSecond").ValueKind);
        Assert.Equal(2, detail.GetProperty("members").GetArrayLength());
        Assert.Equal(quiet.RoomId, page.GetProperty("nextAfter").GetInt64());
    }

    [Fact]
    public async Task A_closed_session_is_told_why_and_stands_in_the_closes()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        await using TestClient kim = await admin.Server.LoginAsync("Kim");
        long id = (await admin.GetAsync("/sessions")).GetProperty("items")[0].GetProperty("id").GetInt64();

        await admin.DoAsync(HttpMethod.Post, $"/sessions/{id}/close", """{"message":"Please update your client."}""");

        Assert.Equal("Please update your client.", (await kim.NextAsync<SCloseNtf>()).Message);
        await kim.Closed;
        JsonElement closes = await Eventually.GetAsync( // the server notes it when its own end has closed
            () => admin.GetAsync("/closes?text=kim"), static closes => closes.GetProperty("items").GetArrayLength() > 0);
        JsonElement last = closes.GetProperty("items")[0];
        Assert.Equal(nameof(CloseReason.LocalClose), last.GetProperty("reason").GetString());
        Assert.Equal("Kim", last.GetProperty("userName").GetString());
        Assert.Equal(0, (await admin.GetAsync("/closes?reason=slowconsumer")).GetProperty("items").GetArrayLength());
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Post, $"/sessions/{id}/close", "{}");
    }

    [Fact]
    public async Task A_player_is_told_and_closed_by_its_name()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        await using TestClient kim = await admin.Server.LoginAsync("Kim");

        await admin.DoAsync(HttpMethod.Post, "/players/kim/notice", """{"message":"to Kim"}""");
        await admin.DoAsync(HttpMethod.Post, "/players/Kim/close", """{"message":"Good bye."}""");

        Assert.Equal("to Kim", (await kim.NextAsync<SNoticeNtf>()).Message);
        Assert.Equal("Good bye.", (await kim.NextAsync<SCloseNtf>()).Message);
        await Eventually.TrueAsync(() => admin.Server.Server.Sessions.Count == 0);
        Assert.Equal(
            "Kim is not logged in. List the sessions to see who is.",
            await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Post, "/players/Kim/close", "{}"));
        Assert.Equal(
            "There is no account 'Lee'. List the accounts to see which there are.",
            await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Post, "/players/Lee/close", "{}"));
    }

    [Fact]
    public async Task A_notice_reaches_the_session_the_room_or_all()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        await using TestClient kim = await admin.Server.LoginAsync("Kim");
        SCreateRoomRes room = await kim.CreateAsync("lobby");
        await using TestClient lee = await admin.Server.LoginAsync("Lee");
        long id = (await admin.GetAsync("/sessions?text=lee")).GetProperty("items")[0].GetProperty("id").GetInt64();

        await admin.DoAsync(HttpMethod.Post, $"/rooms/{room.RoomId}/notice", """{"message":"to the room"}""");
        await admin.DoAsync(HttpMethod.Post, $"/sessions/{id}/notice", """{"message":"to Lee"}""");
        await admin.DoAsync(HttpMethod.Post, "/notice", """{"message":"to all"}""");

        SNoticeNtf toRoom = await kim.NextAsync<SNoticeNtf>();
        Assert.Equal(("to the room", room.RoomId), (toRoom.Message, toRoom.RoomId));
        Assert.Equal("to all", (await kim.NextAsync<SNoticeNtf>()).Message);
        Assert.Equal("to Lee", (await lee.NextAsync<SNoticeNtf>()).Message);
        Assert.Equal("to all", (await lee.NextAsync<SNoticeNtf>()).Message);
        await admin.FailAsync(HttpStatusCode.BadRequest, HttpMethod.Post, "/notice", """{"message":"two\nlines"}""");
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Post, "/rooms/999/notice", """{"message":"nowhere"}""");
    }

    [Fact]
    public async Task A_limit_changes_in_the_running_server_and_a_setting_that_needs_a_restart_does_not()
    {
        await using AdminServer admin = await AdminServer.StartAsync();

        string done = await admin.DoAsync(HttpMethod.Put, "/limits/PlayChat:Connections:MaxConnections", """{"value":"7"}""");
        string tooLow = await admin.FailAsync(
            HttpStatusCode.BadRequest, HttpMethod.Put, "/limits/PlayChat:Connections:MaxConnections", """{"value":"-1"}""");
        string restart = await admin.FailAsync(HttpStatusCode.BadRequest, HttpMethod.Put, "/limits/Mode", """{"value":"echo"}""");
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Put, "/limits/NoSuchKey", """{"value":"1"}""");
        JsonElement limits = await admin.GetAsync("/limits?text=maxconnections&changeable=true");
        JsonElement all = await admin.GetAsync("/limits");

        Assert.Equal(7, admin.Server.Server.Options.Connections.MaxConnections);
        Assert.Contains("is now 7", done, StringComparison.Ordinal);
        Assert.Contains("allowed is", tooLow, StringComparison.Ordinal);
        Assert.Contains("needs a restart", restart, StringComparison.Ordinal);
        Assert.Equal("7", limits[0].GetProperty("value").GetString());
        Assert.DoesNotContain(AdminServer.Token, all.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_limit_of_players_holds_from_the_next_request_on()
    {
        await using AdminServer admin = await AdminServer.StartAsync("--Sessions:RoomsPerMinute=0");
        await using TestClient kim = await admin.Server.LoginAsync("Kim");
        await kim.CreateAsync("without a limit");

        await admin.DoAsync(HttpMethod.Put, "/limits/Sessions:RoomsPerMinute", """{"value":"1"}""");
        await kim.CreateAsync("the first of a minute");
        SErrorNtf second = await kim.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "the second" });
        await admin.DoAsync(HttpMethod.Put, "/limits/Sessions:RoomsPerMinute", """{"value":"0"}""");
        await kim.CreateAsync("without a limit again");

        Assert.Equal(ErrorCode.RateLimited, second.Code);
    }

    [Fact]
    public async Task The_limits_that_protect_change_in_the_running_server()
    {
        var changes = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["PlayChat:Connections:MaxConnections"] = "7",
            ["PlayChat:Connections:MaxConnectionsPerAddress"] = "7",
            ["PlayChat:Connections:AcceptsPerSecondPerAddress"] = "7",
            ["PlayChat:Connections:LimitsLoopback"] = "true",
            ["PlayChat:Connections:FrameTimeout"] = "00:00:07",
            ["PlayChat:Connections:SendTimeout"] = "00:00:07",
            ["PlayChat:Endpoints:0:Tls:HandshakeTimeout"] = "00:00:07",
            ["PlayChat:Endpoints:0:Tls:MaxHandshakes"] = "7",
            ["PlayChat:Endpoints:0:Tls:MaxHandshakesPerAddress"] = "7",
            ["Sessions:PacketsPerSecond"] = "7",
            ["PlayChat:Connections:BytesPerSecond"] = "7000",
            ["PlayChat:Connections:FramesPerSecond"] = "7",
            ["Sessions:RoomsPerMinute"] = "7",
            ["Sessions:PagesPerSecond"] = "7",
            ["Rooms:MaxRooms"] = "7",
            ["Rooms:MaxCreatedPerPlayer"] = "7",
            ["Accounts:MaxPendingPasswords"] = "7",
            ["Accounts:RegistrationsPerMinute"] = "7",
            ["Accounts:FailedLoginsPerName"] = "7",
            ["Accounts:FailedLoginsPerAddress"] = "7",
            ["Accounts:FailedLoginWindow"] = "00:00:07",
        };
        await using AdminServer admin = await AdminServer.StartAsync();

        foreach ((string key, string value) in changes)
        {
            string done = await admin.DoAsync(HttpMethod.Put, $"/limits/{key}", $$"""{"value":"{{value}}"}""");

            Assert.Contains($"is now {value}", done, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task What_one_connection_may_send_changes_for_new_connections()
    {
        await using AdminServer admin = await AdminServer.StartAsync();

        await admin.DoAsync(HttpMethod.Put, "/limits/PlayChat:Connections:BytesPerSecond", """{"value":"7000"}""");
        await admin.DoAsync(HttpMethod.Put, "/limits/PlayChat:Connections:FramesPerSecond", """{"value":"7"}""");

        Assert.Equal(7000, admin.Server.Server.Options.Connections.BytesPerSecond);
        Assert.Equal(7, admin.Server.Server.Options.Connections.FramesPerSecond);
    }

    [Fact]
    public async Task A_log_level_changes_in_the_running_server()
    {
        await using AdminServer admin = await AdminServer.StartAsync();

        await admin.DoAsync(HttpMethod.Put, "/log-levels", """{"level":"Error"}""");
        await admin.DoAsync(HttpMethod.Put, "/log-levels", """{"source":"Microsoft","level":"Fatal"}""");
        JsonElement levels = await admin.GetAsync("/log-levels");

        string[] shown = [.. levels.EnumerateArray().Select(static level => $"{level.GetProperty("source")} {level.GetProperty("level")}")];
        Assert.Equal(["Default Error", "Microsoft Fatal"], shown);
        await admin.FailAsync(HttpStatusCode.BadRequest, HttpMethod.Put, "/log-levels", """{"level":"Loud"}""");
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Put, "/log-levels", """{"source":"None","level":"Debug"}""");
    }

    [Fact]
    public async Task The_short_form_of_the_log_level_is_the_default_level()
    {
        await using AdminServer admin = await AdminServer.StartAsync("--Serilog:MinimumLevel=Error");

        JsonElement level = Assert.Single((await admin.GetAsync("/log-levels")).EnumerateArray(), static level =>
            level.GetProperty("source").GetString() == "Default");

        Assert.Equal("Error", level.GetProperty("level").GetString());
        await admin.DoAsync(HttpMethod.Put, "/log-levels", """{"level":"Fatal"}""");
    }

    [Fact]
    public async Task Accounts_and_bans_do_what_their_commands_do()
    {
        await using AdminServer admin = await AdminServer.StartAsync();

        await admin.DoAsync(HttpMethod.Post, "/accounts", """{"name":"Kim","password":"correct horse"}""");
        await admin.FailAsync(HttpStatusCode.Conflict, HttpMethod.Post, "/accounts", """{"name":"kim","password":"correct horse"}""");
        await admin.DoAsync(HttpMethod.Put, "/accounts/Kim/password", """{"password":"battery staple"}""");
        await using TestClient kim = await admin.Server.ConnectAsync();
        await kim.LoginAsync("Kim", "battery staple");
        await admin.DoAsync(HttpMethod.Post, "/accounts/Kim/disable");
        await using TestClient again = await admin.Server.ConnectAsync();
        SErrorNtf refused = await again.FailLoginAsync("Kim", "battery staple");
        string disabled = (await admin.GetAsync("/accounts")).GetProperty("items")[0].GetProperty("state").GetString()!;
        await admin.DoAsync(HttpMethod.Post, "/accounts/Kim/enable");
        await again.LoginAsync("Kim", "battery staple");
        await admin.DoAsync(HttpMethod.Post, "/bans", """{"subject":"kim","forSeconds":60,"reason":"spam"}""");
        JsonElement ban = (await admin.GetAsync("/bans"))[0];
        await admin.DoAsync(HttpMethod.Delete, "/bans?subject=Kim");
        await admin.DoAsync(HttpMethod.Delete, "/accounts/Kim");

        Assert.Equal(ErrorCode.LoginRefused, refused.Code);
        Assert.Equal("disabled", disabled);
        Assert.Equal("Kim", ban.GetProperty("subject").GetString());
        Assert.Equal("spam", ban.GetProperty("reason").GetString());
        Assert.Equal(0, (await admin.GetAsync("/bans")).GetArrayLength());
        Assert.Equal(0, (await admin.GetAsync("/accounts")).GetProperty("items").GetArrayLength());
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Delete, "/accounts/Kim");
        await admin.FailAsync(HttpStatusCode.BadRequest, HttpMethod.Post, "/bans", """{"subject":"10.0.0.0/1"}""");
    }

    [Fact]
    public async Task Everything_about_an_account_is_exported_and_the_texts_of_its_messages_are_emptied()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        await admin.DoAsync(HttpMethod.Post, "/accounts", """{"name":"Kim","password":"correct horse"}""");
        IChatStore store = admin.Server.Get<IChatStore>();
        Account kim = (await store.FindAccountAsync("Kim"))!;
        ChatRecord said = new(7, 1, kim.Id, "Kim", "hello", kim.CreatedAt, "lobby");
        await store.AppendChatAsync([said, said with { Sequence = 2, PlayerId = kim.Id + 1, Text = "hi" }]);
        await store.AppendChatAsync([said with { RoomId = 8, Text = "bye" }]);
        Account jun = (await store.CreateAccountAsync("Jun", null, kim.CreatedAt)).Account;
        DirectMessage direct = new(kim.Id, jun.Id, "psst", kim.CreatedAt, "Kim");
        await store.Direct.AppendAsync([direct, direct with { FromId = jun.Id, ToId = kim.Id, Text = "what?", FromName = "Jun" }]);

        await store.SaveMembershipsAsync(
        [
            new RoomMembership(7, kim.Id, "Kim", RoomMemberRole.Owner, ReadSequence: 2),
            new RoomMembership(8, kim.Id, "Kim", RoomMemberRole.None, BannedUntil: kim.CreatedAt),
            new RoomMembership(8, jun.Id, "Jun", RoomMemberRole.Member),
        ]);
        await store.Direct.BlockAsync(kim.Id, new BlockedPlayer(jun.Id, "Jun", kim.CreatedAt), 9);
        await store.SaveBanAsync(new Ban(BanSubject.OfAccount("Kim"), "spam", kim.CreatedAt, kim.CreatedAt));
        await store.SaveBanAsync(new Ban(BanSubject.OfAccount("Jun"), "noise", kim.CreatedAt, kim.CreatedAt));
        await store.AddReactionAsync(7, 2, kim.Id, "🎲", 20);
        await store.AddReactionAsync(7, 2, kim.Id, "👍", 20);
        await store.AddReactionAsync(8, 1, jun.Id, "👍", 20);
        await store.AddReactionAsync(8, 1, kim.Id, "👍", 20);
        MessageReport report = new(
            7, "lobby", 2, kim.Id, "Kim", "rude", kim.CreatedAt, [said, said with { Sequence = 2, PlayerId = kim.Id + 1, Text = "hi" }]);
        long reportId = (await store.Reports.AddAsync(report, 9)).GetValueOrDefault().Id;

        JsonElement export = await admin.GetAsync("/accounts/kim/export");
        await admin.DoAsync(HttpMethod.Delete, "/accounts/kim?texts=true");

        Assert.Equal("Kim", export.GetProperty("account").GetProperty("name").GetString());
        Assert.Equal(
            "lobby 7/1 hello, lobby 8/1 bye,  0/1 psst",
            string.Join(", ", export.GetProperty("messages").EnumerateArray().Select(static message =>
                $"{message.GetProperty("roomName")} {message.GetProperty("roomId")}/{message.GetProperty("sequence")} "
                    + $"{message.GetProperty("text")}")));
        Assert.Equal(
            [said with { Text = "" }, said with { Sequence = 2, PlayerId = kim.Id + 1, Text = "hi" }],
            await store.ReadChatAfterAsync(7, 0, 10));
        Assert.Equal("", (await store.ReadChatAfterAsync(8, 0, 10))[0].Text);
        Assert.Equal(
            ",what?", string.Join(',', (await store.Direct.ReadAfterAsync(jun.Id, kim.Id, 0, 10)).Select(static message => message.Text)));
        Assert.Equal(
            "lobby 7 owner 2 Null, lobby 8 none 0 String",
            string.Join(", ", export.GetProperty("memberships").EnumerateArray().Select(static one =>
                $"{one.GetProperty("roomName")} {one.GetProperty("roomId")} {one.GetProperty("role")} {one.GetProperty("readSequence")} "
                    + one.GetProperty("bannedUntil").ValueKind)));
        JsonElement conversation = Assert.Single(export.GetProperty("conversations").EnumerateArray());
        Assert.Equal(
            ("Jun", 1, 2),
            (conversation.GetProperty("withName").GetString(), conversation.GetProperty("readNumber").GetInt32(),
                conversation.GetProperty("lastNumber").GetInt32()));
        Assert.Equal("Jun", Assert.Single(export.GetProperty("blocked").EnumerateArray()).GetProperty("name").GetString());
        Assert.Equal("spam", Assert.Single(export.GetProperty("bans").EnumerateArray()).GetProperty("reason").GetString());
        Assert.Equal(
            "7/2 🎲, 7/2 👍, 8/1 👍",
            string.Join(", ", export.GetProperty("reactions").EnumerateArray().Select(static one =>
                $"{one.GetProperty("roomId")}/{one.GetProperty("sequence")} {one.GetProperty("emoji")}")));
        JsonElement reported = Assert.Single(export.GetProperty("reports").EnumerateArray());
        Assert.Equal(
            ("rude", "Kim", 0),
            (reported.GetProperty("reason").GetString(), reported.GetProperty("reporterName").GetString(),
                reported.GetProperty("messages").GetArrayLength()));
        JsonElement open = Assert.Single((await admin.GetAsync("/reports")).GetProperty("items").EnumerateArray());
        Assert.Equal((reportId, ""), (open.GetProperty("id").GetInt64(), open.GetProperty("reason").GetString()));
        Assert.Equal(",hi", string.Join(',', open.GetProperty("messages").EnumerateArray().Select(static one => one.GetProperty("text"))));
        Assert.Empty((await admin.GetAsync("/reports?room=8")).GetProperty("items").EnumerateArray());
        await admin.DoAsync(HttpMethod.Post, $"/reports/{reportId}/resolve");
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Post, $"/reports/{reportId}/resolve", "{}");
        Assert.Empty((await admin.GetAsync("/reports")).GetProperty("items").EnumerateArray());
        await admin.FailAsync(HttpStatusCode.NotFound, HttpMethod.Get, "/accounts/Kim/export");
    }

    [Fact]
    public async Task The_texts_of_an_erased_player_are_gone_from_the_memory_of_its_rooms_too()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        await using TestClient kim = await admin.Server.LoginAsync("Kim");
        await using TestClient jun = await admin.Server.LoginAsync("Jun");
        long room = (await kim.CreateAsync("lobby")).RoomId;
        await jun.JoinAsync(room);
        await kim.SayAsync(room, "secret");
        await jun.SayAsync(room, "mine");
        await kim.EditAsync(room, (await kim.SayAsync(room, "my adress")).Sequence, "my address");
        string before = await jun.ReadTextsAsync(room);

        await admin.DoAsync(HttpMethod.Delete, "/accounts/Kim?texts=true");

        Assert.Equal("secret | mine | my address", before);
        Assert.Equal(" | mine | ", await jun.ReadTextsAsync(room));
    }

    [Fact]
    public async Task The_audit_log_has_each_change_and_each_refused_one()
    {
        var log = new RecordingLogger();
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services => services.AddSingleton<ILoggerFactory>(log),
            "--Operations:Enabled=true",
            "--Operations:Address=127.0.0.1:0");
        using HttpClient http = server.Http();
        using var notice = new StringContent("""{"message":"hello"}""", Encoding.UTF8, "application/json");
        using var close = new StringContent("{}", Encoding.UTF8, "application/json");

        (await http.GetAsync(OperationsServer.Path("/api/v1/sessions")).WaitAsync(TestTimeouts.Hang)).Dispose();
        (await http.PostAsync(OperationsServer.Path("/api/v1/notice"), notice).WaitAsync(TestTimeouts.Hang)).Dispose();
        (await http.PostAsync(OperationsServer.Path("/api/v1/sessions/99/close"), close).WaitAsync(TestTimeouts.Hang)).Dispose();

        string[] lines = [.. log.Entries.Where(static entry => entry.Event == "AdminAction").Select(static entry => entry.Text)];
        Assert.Equal(2, lines.Length);
        Assert.Contains("POST /api/v1/notice", lines[0], StringComparison.Ordinal);
        Assert.Contains("POST /api/v1/sessions/99/close", lines[1], StringComparison.Ordinal);
        Assert.Contains("refused with 404", lines[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_status_the_history_and_the_runtime_are_read()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        await using TestClient kim = await admin.Server.LoginAsync("Kim");

        JsonElement status = await admin.GetAsync("/status");
        JsonElement history = await admin.GetAsync("/history?points=1");
        JsonElement runtime = await admin.GetAsync("/runtime");

        Assert.Equal("ok", status.GetProperty("level").GetString());
        Assert.Equal(1, status.GetProperty("figures").GetProperty("connections").GetInt64());
        Assert.Equal(7, history.GetProperty("latencyBounds").GetArrayLength());
        Assert.True(runtime.GetProperty("threads").GetInt32() > 0);
        Assert.Equal(5, runtime.GetProperty("generations").GetArrayLength());
    }

    [Fact]
    public async Task A_drain_stops_the_server_and_tells_its_clients()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        await using TestClient kim = await admin.Server.LoginAsync("Kim");

        await admin.DoAsync(HttpMethod.Post, "/drain");

        Assert.True(admin.Server.Lifetime.ApplicationStopping.IsCancellationRequested);
        await admin.Server.StopAsync();
        Assert.Equal(CloseCode.ServerShutdown, (await kim.NextAsync<SCloseNtf>()).Reason);
    }

    [Theory]
    [InlineData("/sessions?limit=0")]
    [InlineData("/sessions?limit=abc")]
    [InlineData("/sessions?sort=colour")]
    [InlineData("/sessions?state=asleep")]
    [InlineData("/sessions?measureMs=99999")]
    [InlineData("/rooms?after=-1")]
    [InlineData("/closes?reason=Boredom")]
    [InlineData("/closes?limit=1001")]
    [InlineData("/history?points=0")]
    public async Task A_wrong_parameter_is_explained(string path)
    {
        await using AdminServer admin = await AdminServer.StartAsync();

        Assert.NotEmpty(await admin.FailAsync(HttpStatusCode.BadRequest, HttpMethod.Get, path));
    }

    [Theory]
    [InlineData("[]")]
    [InlineData("null")]
    [InlineData("""{"massage":"a typing error"}""")]
    [InlineData("no JSON")]
    public async Task A_wrong_body_is_explained(string body)
    {
        await using AdminServer admin = await AdminServer.StartAsync();

        Assert.NotEmpty(await admin.FailAsync(HttpStatusCode.BadRequest, HttpMethod.Post, "/notice", body));
    }

    [Theory]
    [InlineData("application/x-www-form-urlencoded")]
    [InlineData("text/plain")]
    public async Task A_form_of_a_foreign_page_changes_nothing(string type)
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        using var content = new StringContent("{}", Encoding.UTF8, new MediaTypeHeaderValue(type));

        using HttpResponseMessage response =
            await admin.Http.PostAsync(OperationsServer.Path("/api/v1/drain"), content).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(HttpStatusCode.UnsupportedMediaType, response.StatusCode);
        Assert.False(admin.Server.Lifetime.ApplicationStopping.IsCancellationRequested);
    }

    [Fact]
    public async Task The_dashboard_is_served_without_a_token_and_the_page_may_load_only_its_own_files()
    {
        await using AdminServer admin = await AdminServer.StartAsync();
        admin.Http.DefaultRequestHeaders.Authorization = null;

        foreach ((string path, string type) in new[]
        {
            ("/", "text/html"), ("/dashboard.js", "text/javascript"), ("/dashboard.css", "text/css"), ("/favicon.svg", "image/svg+xml"),
        })
        {
            using HttpResponseMessage response = await admin.Http.GetAsync(OperationsServer.Path(path)).WaitAsync(TestTimeouts.Hang);

            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
            Assert.Equal(type, response.Content.Headers.ContentType?.MediaType);
            string policy = response.Headers.GetValues("Content-Security-Policy").Single();
            Assert.StartsWith("default-src 'none'", policy, StringComparison.Ordinal);
        }
    }
}
