using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class RoomPacketTests
{
    [Fact]
    public async Task A_packet_is_handled_in_the_turn_of_the_room_in_which_its_sender_is_a_member()
    {
        (MemberRoom Room, TestMember Member, string Text)? handled = null;
        await using RoomHarness<MemberRoom> harness = await StartAsync(
            router => router.MapRoomPacket<MemberRoom, TestMember, string>((room, _, member, text) => handled = (room, member, text)));
        HarnessClient client = await harness.ConnectAsync();
        TestMember member = (await harness.Room.JoinAsync(client.Session)).Member!;
        using (await HeldRoom.HoldAsync(harness.Room))
        {
            client.Say(7, "a");
            await harness.Transport.IdleAsync(TestContext.Current.CancellationToken); // it is posted
            Assert.Null(handled);
        }

        await harness.IdleAsync();

        Assert.Equal((harness.Room, member, "a"), handled);
    }

    [Fact]
    public async Task A_sender_in_no_such_room_is_answered()
    {
        await using RoomHarness<MemberRoom> harness = await StartAsync(static router =>
        {
            router.MapRoomPacket<MemberRoom, TestMember, string>(static (_, _, _, _) => { }, 7);
            router.OnNoRoom = static (context, roomId) => context.Reply($"no room {roomId} for {context.PacketId}");
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(["no room 0 for 7"], client.Received<string>());
        Assert.True(client.Session.Connection.IsOpen);
    }

    [Fact]
    public async Task What_comes_from_a_sender_in_no_such_room_is_dropped_when_nobody_answers()
    {
        int handled = 0;
        await using RoomHarness<MemberRoom> harness = await StartAsync(
            router => router.MapRoomPacket<MemberRoom, TestMember, string>((_, _, _, _) => handled++, 7));
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(0, handled);
        Assert.Empty(client.Frames);
        Assert.True(client.Session.Connection.IsOpen);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_sender_that_leaves_while_its_packet_waits_is_answered(bool removed)
    {
        int handled = 0;
        await using RoomHarness<MemberRoom> harness = await StartAsync(router =>
        {
            router.MapRoomPacket<MemberRoom, TestMember, string>((_, _, _, _) => handled++);
            router.OnNoRoom = static (context, roomId) => context.Reply(roomId);
        });
        HarnessClient client = await harness.ConnectAsync();
        await harness.Room.JoinAsync(client.Session);
        using (await HeldRoom.HoldAsync(
            harness.Room,
            room =>
            {
                room.Leave(client.Session);
                if (removed)
                {
                    room.Remove();
                }
            }))
        {
            client.SendPacket("a", requestId: 1);
            await harness.Transport.IdleAsync(TestContext.Current.CancellationToken); // it is posted
        }

        await harness.IdleAsync();

        Assert.Equal(0, handled);
        Assert.Equal([harness.Room.Id], client.Received<long>());
        Assert.Equal(1, client.Frames[^1].Header.RequestId);
    }

    [Fact]
    public async Task Of_several_rooms_the_message_names_the_one_that_handles_it()
    {
        List<string> handled = [];
        await using RoomHarness<MemberRoom> harness = await RoomHarness.StartAsync(
            static context => new MemberRoom(context) { IsQuiet = true },
            new PacketSet().Add(new AddressedPacket(9)).Add(new NumberPacket(8)),
            server => server.OnPackets(router =>
            {
                router.MapRoomRequest<MemberRoom, TestMember, Addressed, long>((room, _, _, _) =>
                {
                    handled.Add(room.Name);
                    return room.Id;
                });
                router.OnNoRoom = static (context, roomId) => context.Reply(context.Rooms.Find(roomId) is null ? -1L : -roomId);
            }));
        RoomRegistry rooms = harness.Server.Rooms;
        MemberRoom second = rooms.Create("second", static context => new MemberRoom(context) { IsQuiet = true });
        MemberRoom foreign = rooms.Create("foreign", static context => new MemberRoom(context) { IsQuiet = true });
        TestRoom other = rooms.Create("other", static context => new TestRoom(context));
        HarnessClient client = await harness.ConnectAsync();
        await harness.Room.JoinAsync(client.Session);
        await second.JoinAsync(client.Session);
        await harness.InTurnAsync(other, room => room.Join(client.Session));

        long[] named = [harness.Room.Id, second.Id, foreign.Id, other.Id, 0, 1000];
        foreach (long id in named)
        {
            client.SendPacket(new Addressed(id), requestId: 1);
            await harness.IdleAsync();
        }

        Assert.Equal([harness.Room.Id, second.Id, -foreign.Id, -other.Id, -1, -1], client.Received<long>());
        Assert.Equal(["room", "second"], handled);
    }

    [Fact]
    public async Task While_the_room_s_queue_is_full_the_sender_waits()
    {
        const int Packets = 40;
        int handled = 0;
        await using RoomHarness<MemberRoom> harness = await StartAsync(
            router => router.MapRoomPacket<MemberRoom, TestMember, string>((_, _, _, _) => handled++),
            queueItems: 16);
        HarnessClient client = await harness.ConnectAsync();
        await harness.Room.JoinAsync(client.Session);
        using (await HeldRoom.HoldAsync(harness.Room))
        {
            for (int i = 0; i < Packets; i++)
            {
                client.Say(7, "a");
            }

            await Eventually.TrueAsync(() => !harness.Room.Post(static _ => { }));
            Assert.False(harness.Transport.IdleAsync(TestContext.Current.CancellationToken).IsCompleted);
        }

        await harness.IdleAsync();

        Assert.Equal(Packets, handled);
        Assert.Equal(0, harness.Figures().HandlerFaults);
    }

    [Fact]
    public async Task An_answer_comes_between_what_its_turn_broadcasts_before_and_after()
    {
        await using RoomHarness<MemberRoom> harness = await StartAsync(static router =>
            router.MapRoomRequest<MemberRoom, TestMember, string, long>(static (room, context, _, text) =>
            {
                room.Broadcast("before");
                room.Post(static (MemberRoom r) => r.Broadcast("after"));
                return text.Length + context.RequestId;
            }));
        HarnessClient client = await harness.ConnectAsync();
        await harness.Room.JoinAsync(client.Session);
        await harness.IdleAsync();
        client.Forget();

        client.SendPacket("abc", requestId: 40);
        await harness.IdleAsync();

        Assert.Equal([(0, 0), (8, 40), (0, 0)], client.Frames.Select(static f => ((int)f.Header.PacketId, (int)f.Header.RequestId)));
        Assert.Equal([43L], client.Received<long>());
    }

    [Fact]
    public async Task A_packet_without_a_request_id_and_a_handler_that_returns_null_send_no_answer()
    {
        int handled = 0;
        await using RoomHarness<MemberRoom> harness = await RoomHarness.StartAsync(
            static context => new MemberRoom(context) { IsQuiet = true },
            TextPackets.All,
            server => server.OnPackets(router =>
            {
                router.MapRoomRequest<MemberRoom, TestMember, long, string>((_, _, _, _) => ++handled == 1 ? "answer" : null);
            }));
        HarnessClient client = await harness.ConnectAsync();
        await harness.Room.JoinAsync(client.Session);

        client.SendPacket(0L);
        client.SendPacket(0L, requestId: 1);
        await harness.IdleAsync();

        Assert.Equal(2, handled);
        Assert.Empty(client.Frames);
    }

    [Fact]
    public async Task A_member_that_the_handler_removes_still_gets_the_answer()
    {
        await using RoomHarness<MemberRoom> harness = await StartAsync(static router =>
            router.MapRoomRequest<MemberRoom, TestMember, string, long>(static (room, _, member, _) => room.Leave(member.Session) ? 1 : 0));
        HarnessClient client = await harness.ConnectAsync();
        await harness.Room.JoinAsync(client.Session);

        client.SendPacket("bye", requestId: 1);
        await harness.IdleAsync();

        Assert.Equal([1L], client.Received<long>());
        Assert.Equal(0, harness.Room.MemberCount);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_fault_of_a_room_s_handler_is_counted_once_and_leaves_room_and_session_as_they_are(bool answers)
    {
        var logger = new RecordingLogger();
        await using RoomHarness<MemberRoom> harness = await StartAsync(
            router =>
            {
                router.MapRoomPacket<MemberRoom, TestMember, string>(
                    static (_, _, _, text) => throw new InvalidOperationException($"A fault of {text}."));
                router.OnFault = answers ? static (context, e) => context.Reply((long)e.Message.Length) : null;
            },
            configure: server => server.UseLogging(logger));
        HarnessClient client = await harness.ConnectAsync();
        await harness.Room.JoinAsync(client.Session);

        client.SendPacket("a", requestId: 1);
        await harness.IdleAsync();

        Assert.Equal(answers ? ["A fault of a.".Length] : [], client.Received<long>());
        Assert.Equal(1, harness.Figures().HandlerFaults);
        Assert.Equal((answers ? 1 : 0, answers ? 0 : 1), (logger.Count("HandlerFault"), logger.Count("JobFault")));
        Assert.True(client.Session.Connection.IsOpen);
        Assert.Equal(1, harness.Room.MemberCount);
    }

    [Fact]
    public async Task A_message_that_does_not_last_until_the_turn_is_refused()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(
            static () =>
                RoomHarness.StartAsync(
                    static context => new MemberRoom(context),
                    new PacketSet().Add(new TransientPacket(9)),
                    static server => server.OnPackets(static router =>
                        router.MapRoomPacket<MemberRoom, TestMember, int>(static (_, _, _, _) => { }))));

        Assert.Contains("transient", e.Message, StringComparison.Ordinal);
    }

    private static Task<RoomHarness<MemberRoom>> StartAsync(
        Action<PacketRouter> map, int queueItems = 1024, Action<PlayChatServer>? configure = null) => RoomHarness.StartAsync(
        static context => new MemberRoom(context),
        TextPackets.All,
        server =>
        {
            server.OnPackets(map).Options.Rooms.QueueItems = queueItems;
            configure?.Invoke(server);
        });
}
