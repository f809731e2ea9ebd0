using PlayChat.Chat.Configuration;
using PlayChat.Chat.Rooms;
using PlayChat.Core.Connections;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Server.Tests.ChatLog;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>A player with several devices is one member for everybody else.</summary>
public sealed class DeviceTests
{
    [Fact]
    public async Task Two_devices_of_a_player_are_one_member_and_both_hear_everything()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient phone = await server.LoginAsync("Bob");
        await using TestClient laptop = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;

        await phone.JoinAsync(room);
        SRoomEnteredNtf entered = await laptop.NextAsync<SRoomEnteredNtf>();
        SJoinRoomRes joined = await laptop.JoinAsync(entered.RoomId);
        SRoomChatRes said = await phone.SayAsync(room, "from the phone");
        SRoomChatNtf heard = await laptop.NextAsync<SRoomChatNtf>();
        SListRoomsRes list = await ann.AskAsync<CListRoomsReq, SListRoomsRes>(ChatPackets.CListRoomsReq, new CListRoomsReq());

        Assert.Equal((room, "den"), (entered.RoomId, entered.Name));
        Assert.Equal("Ann, Bob", Names(joined));
        Assert.Equal((said.Sequence, phone.PlayerId, "from the phone"), (heard.Sequence, heard.PlayerId, heard.Text));
        Assert.Equal(2u, Assert.Single(list.Rooms).Members);
        Assert.Equal("from the phone", (await ann.NextAsync<SRoomChatNtf>()).Text); // neither a second join nor anything else came before
        Assert.Equal(1, ann.CountWaiting<SJoinRoomNtf>());
    }

    [Fact]
    public async Task The_others_hear_of_a_leave_when_the_last_device_has_gone()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient phone = await server.LoginAsync("Bob");
        await using TestClient laptop = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await phone.JoinAsync(room);
        await laptop.JoinAsync(room);

        phone.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());
        await phone.Closed;
        await laptop.SayAsync(room, "still here");
        laptop.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());

        Assert.Equal("still here", (await ann.NextAsync<SRoomChatNtf>()).Text);
        Assert.Equal("Bob has left the room.", (await ann.NextAsync<SRoomChatNtf>()).Text);
    }

    [Fact]
    public async Task A_player_leaves_a_room_with_all_its_devices()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient phone = await server.LoginAsync("Bob");
        await using TestClient laptop = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await phone.JoinAsync(room);
        await laptop.JoinAsync(room);

        await phone.LeaveAsync(room);
        SRoomLeftNtf told = await laptop.NextAsync<SRoomLeftNtf>();
        SErrorNtf refused = await laptop.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "hello?" });

        Assert.Equal((room, "You have left den on another device."), (told.RoomId, told.Message));
        Assert.Equal(ErrorCode.NotInRoom, refused.Code);
        Assert.Equal(0, phone.CountWaiting<SRoomLeftNtf>());
        Assert.Equal("Bob has left the room.", await ann.ReadTextsAsync(room));
        Assert.Equal("Ann, Bob", Names(await laptop.JoinAsync(room)));
    }

    [Fact]
    public async Task A_kick_takes_all_devices_out()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient phone = await server.LoginAsync("Bob");
        await using TestClient laptop = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await phone.JoinAsync(room);
        await laptop.JoinAsync(room);

        await ann.ModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Kick, PlayerId = phone.PlayerId });

        Assert.Equal("Ann removed you from den.", (await phone.NextAsync<SRoomLeftNtf>()).Message);
        Assert.Equal("Ann removed you from den.", (await laptop.NextAsync<SRoomLeftNtf>()).Message);
        Assert.Equal("Bob was removed by Ann.", await ann.ReadTextsAsync(room));
    }

    [Fact]
    public async Task A_full_room_counts_players_and_takes_a_further_device_of_one()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting, "--PlayChat:Rooms:MaxMembers=2");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient phone = await server.LoginAsync("Bob");
        await using TestClient laptop = await server.LoginAsync("Bob");
        await using TestClient cho = await server.LoginAsync("Cho");
        long room = (await ann.CreateAsync("den")).RoomId;
        await phone.JoinAsync(room);

        await laptop.JoinAsync(room);
        SErrorNtf full = await cho.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        phone.Send(ChatPackets.CLogoutNtf, new CLogoutNtf()); // the device that came first
        await phone.Closed;
        SErrorNtf stillFull = await cho.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        await laptop.LeaveAsync(room);
        await cho.JoinAsync(room);

        Assert.Equal((ErrorCode.RoomFull, ErrorCode.RoomFull), (full.Code, stillFull.Code));
        Assert.Equal(2, ((ChatRoom)server.Server.Rooms.Find(room)!).PlayerCount);
    }

    [Fact]
    public async Task Writing_is_not_told_to_the_other_devices_of_the_writer_and_is_limited_for_all_of_them_together()
    {
        var time = new ManualTimeProvider();
        await using TestServer server = await TestServer.StartUnderAsync(time, TestServer.Fleeting);
        time.Advance(TimeSpan.FromSeconds(1));
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient phone = await server.LoginAsync("Bob");
        await using TestClient laptop = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await phone.JoinAsync(room);
        await laptop.JoinAsync(room);

        phone.Send(ChatPackets.CTypingNtf, new CTypingNtf { RoomId = room });
        await phone.SayAsync(room, "one");
        laptop.Send(ChatPackets.CTypingNtf, new CTypingNtf { RoomId = room });
        await laptop.SayAsync(room, "two");
        await laptop.NextAsync<SRoomChatNtf>(static said => said.Text == "two");
        await ann.NextAsync<SRoomChatNtf>(static said => said.Text == "two");

        Assert.Equal((0, 1), (laptop.CountWaiting<STypingNtf>(), ann.CountWaiting<STypingNtf>()));
    }

    [Fact]
    public async Task A_direct_message_reaches_every_device()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient phone = await server.LoginAsync("Bob");
        await using TestClient laptop = await server.LoginAsync("Bob");

        await ann.SayToAsync(phone, "hi");

        Assert.Equal("hi", (await phone.NextAsync<SDirectChatNtf>()).Text);
        Assert.Equal("hi", (await laptop.NextAsync<SDirectChatNtf>()).Text);
    }

    [Fact]
    public async Task The_device_that_was_idle_for_longest_gives_way_to_one_too_many_unless_the_login_takes_nothing_over()
    {
        var time = new ManualTimeProvider();
        await using TestServer server = await TestServer.StartUnderAsync(time, TestServer.Fleeting, "--PlayChat:Sessions:MaxPerUser=2");
        await using TestClient first = await server.LoginAsync("Bob");
        time.Advance(TimeSpan.FromSeconds(1));
        await using TestClient second = await server.LoginAsync("Bob");
        time.Advance(TimeSpan.FromSeconds(1));
        await first.CreateAsync("den"); // now the second one has been idle for longer

        await using TestClient polite = await server.ConnectAsync();
        SErrorNtf refused = await polite.FailAsync(
            ChatPackets.CLoginReq, new CLoginReq { Name = "Bob", ClientVersion = "tests", NoTakeover = true });
        await using TestClient third = await server.LoginAsync("Bob");
        SCloseNtf told = await second.NextAsync<SCloseNtf>();
        await second.Closed;
        SRoomEnteredNtf entered = await third.NextAsync<SRoomEnteredNtf>(); // the first one is in it

        Assert.Equal(ErrorCode.NameInUse, refused.Code);
        Assert.Equal((CloseCode.TakenOver, "Bob has logged in from elsewhere."), (told.Reason, told.Message));
        Assert.Equal("den", entered.Name);
        Assert.Equal(2, server.Server.Sessions.FindAllOfUser("Bob").Count);
    }

    [Fact]
    public async Task A_device_resumes_for_itself()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient phone = await server.ConnectAsync();
        SLoginRes login = await phone.LoginAsync("Bob");
        await using TestClient laptop = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await phone.JoinAsync(room);
        await laptop.JoinAsync(room);

        phone.Connection.Abort();
        await phone.Closed;
        await laptop.SayAsync(room, "meanwhile");
        await using TestClient again = await server.ConnectAsync();
        SResumeRes resumed = await again.AskAsync<CResumeReq, SResumeRes>(
            ChatPackets.CResumeReq,
            new CResumeReq
            {
                Token = login.ResumeToken,
                ClientVersion = "tests",
                Rooms = { new RoomPlace { RoomId = room, LastSequence = 1 } },
            });

        Assert.True(Assert.Single(resumed.Rooms).Recovered);
        Assert.Equal("meanwhile", (await again.NextAsync<SRoomChatNtf>()).Text);
        await ann.SayAsync(room, "end");
        Assert.Equal("end", (await laptop.NextAsync<SRoomChatNtf>(static said => said.Text == "end")).Text);
        Assert.Equal(0, ann.CountWaiting<SCloseNtf>());
        IReadOnlyList<SRoomChatNtf> history = await ann.ReadHistoryAsync(room);
        Assert.Equal("meanwhile | end", string.Join(" | ", history.Select(static said => said.Text))); // no leave
    }

    [Fact]
    public async Task The_devices_of_a_player_resume_after_a_restart_of_the_server()
    {
        using var folder = new TemporaryDirectory();
        TestServer first = await TestServer.StartInAsync(folder.Path, null);
        await using TestClient phone = await first.ConnectAsync();
        await using TestClient laptop = await first.ConnectAsync();
        SLoginRes[] logins = [await phone.LoginAsync("Bob"), await laptop.LoginAsync("Bob")];
        await first.DisposeAsync();

        await using TestServer next = await TestServer.StartInAsync(folder.Path, null);
        foreach (SLoginRes login in logins)
        {
            TestClient back = await next.ConnectAsync();
            SResumeRes resumed = await back.AskAsync<CResumeReq, SResumeRes>(
                ChatPackets.CResumeReq, new CResumeReq { Token = login.ResumeToken, ClientVersion = "tests" });
            Assert.True(resumed.Restored);
        }

        Assert.Equal(2, next.Server.Sessions.FindAllOfUser("Bob").Count);
    }

    [Fact]
    public async Task A_new_password_needs_the_old_one_and_logs_out_the_other_devices()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting, "--Accounts:MinPasswordLength=8");
        await using TestClient phone = await server.ConnectAsync();
        SLoginRes own = await phone.LoginAsync("Bob", "correct horse");
        await using TestClient laptop = await server.ConnectAsync();
        SLoginRes others = await laptop.LoginAsync("Bob", "correct horse");
        var change = new CChangePasswordReq { OldPassword = "wrong", NewPassword = "battery staple" };

        SErrorNtf wrong = await phone.FailAsync(ChatPackets.CChangePasswordReq, change);
        change.OldPassword = "correct horse";
        SErrorNtf tooShort = await phone.FailAsync(
            ChatPackets.CChangePasswordReq, new CChangePasswordReq(change) { NewPassword = "short" });
        await phone.AskAsync<CChangePasswordReq, SChangePasswordRes>(ChatPackets.CChangePasswordReq, change);
        SCloseNtf told = await laptop.NextAsync<SCloseNtf>();
        await laptop.Closed;
        await using TestClient again = await server.ConnectAsync();
        SErrorNtf revoked = await again.FailAsync(
            ChatPackets.CResumeReq, new CResumeReq { Token = others.ResumeToken, ClientVersion = "tests" });
        Assert.Equal(ErrorCode.LoginRefused, (await again.FailLoginAsync("Bob", "correct horse")).Code);
        await again.LoginAsync("Bob", "battery staple");
        phone.Connection.Abort();
        await phone.Closed;
        await using TestClient back = await server.ConnectAsync();
        SResumeRes resumed = await back.AskAsync<CResumeReq, SResumeRes>(
            ChatPackets.CResumeReq, new CResumeReq { Token = own.ResumeToken, ClientVersion = "tests" });

        Assert.Equal((ErrorCode.LoginRefused, ErrorCode.PasswordTooShort), (wrong.Code, tooShort.Code));
        Assert.Equal("The password of this account was changed on another device. Log in with the new one.", told.Message);
        Assert.Equal(ErrorCode.ResumeRefused, revoked.Code);
        Assert.Equal("Bob", resumed.Name);
    }

    [Fact]
    public async Task A_device_that_disconnects_when_its_password_is_changed_still_logs_out_the_others()
    {
        var store = new FaultyStore();
        await using TestServer server = await TestServer.StartInAsync(null, store.Wrap, TestServer.Fleeting);
        await using TestClient phone = await server.ConnectAsync();
        await phone.AskAsync<CLoginReq, SLoginRes>(
            ChatPackets.CLoginReq, new CLoginReq { Name = "Bob", Password = "correct horse", ClientVersion = "tests", Keep = true });
        Connection link = server.Server.Sessions.FindUser("Bob")!.Connection;
        await using TestClient laptop = await server.ConnectAsync();
        await laptop.LoginAsync("Bob", "correct horse");
        store.AfterPasswordChange = () =>
        {
            link.Abort();
            return Eventually.TrueAsync(() => link.Aborted.IsCancellationRequested);
        };

        phone.Send(
            ChatPackets.CChangePasswordReq,
            new CChangePasswordReq { OldPassword = "correct horse", NewPassword = "battery staple" },
            requestId: 1);

        Assert.Equal(CloseCode.LocalClose, (await laptop.NextAsync<SCloseNtf>()).Reason);
    }

    [Fact]
    public async Task Old_passwords_are_guessed_no_more_often_than_at_a_login()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting, "--Accounts:FailedLoginsPerName=1");
        await using TestClient phone = await server.ConnectAsync();
        await phone.LoginAsync("Bob", "correct horse");
        var guess = new CChangePasswordReq { OldPassword = "wrong", NewPassword = "battery staple" };
        await phone.FailAsync(ChatPackets.CChangePasswordReq, guess);

        SErrorNtf throttled = await phone.FailAsync(
            ChatPackets.CChangePasswordReq, new CChangePasswordReq(guess) { OldPassword = "correct horse" });

        Assert.Equal(ErrorCode.LoginThrottled, throttled.Code);
        Assert.True(throttled.RetryAfterMs > 0);
    }

    [Fact]
    public async Task A_player_sees_its_devices_and_logs_one_out_but_none_of_another_player()
    {
        await using TestServer server = await TestServer.StartAsync(TestServer.Fleeting);
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient phone = await server.LoginAsync("Bob");
        await using TestClient laptop = await server.LoginAsync("Bob");

        SListDevicesRes devices = await phone.AskAsync<CListDevicesReq, SListDevicesRes>(
            ChatPackets.CListDevicesReq, new CListDevicesReq());
        await phone.AskAsync<CEndDeviceReq, SEndDeviceRes>(
            ChatPackets.CEndDeviceReq, new CEndDeviceReq { DeviceId = server.Server.Sessions.FindUser("Ann")!.Id });
        SErrorNtf own = await phone.FailAsync(ChatPackets.CEndDeviceReq, new CEndDeviceReq { DeviceId = devices.Devices[0].DeviceId });
        await phone.AskAsync<CEndDeviceReq, SEndDeviceRes>(
            ChatPackets.CEndDeviceReq, new CEndDeviceReq { DeviceId = devices.Devices[1].DeviceId });
        SCloseNtf told = await laptop.NextAsync<SCloseNtf>();
        await laptop.Closed;
        await ann.CreateAsync("den"); // is still connected

        Assert.Equal([true, false], devices.Devices.Select(static device => device.IsThis));
        Assert.All(devices.Devices, static device => Assert.True(device.SinceUnixMs > 0 && device.LastSeenUnixMs > 0));
        Assert.All(devices.Devices, static device => Assert.True(device.ClientVersion.Length > 0));
        Assert.Equal(ErrorCode.Forbidden, own.Code);
        Assert.Equal((CloseCode.LocalClose, "You were logged out on another device."), (told.Reason, told.Message));
        Assert.Single(server.Server.Sessions.FindAllOfUser("Bob"));
    }

    private static string Names(SJoinRoomRes room) =>
        string.Join(", ", room.Members.Select(static member => member.Name).Order(StringComparer.Ordinal));
}
