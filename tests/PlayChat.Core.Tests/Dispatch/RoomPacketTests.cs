using PlayChat.Core.Dispatch;
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
            router => router.MapRoomPacket<MemberRoom, TestMember, string>((room, member, text) => handled = (room, member, text)));
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
            router.MapRoomPacket<MemberRoom, TestMember, string>(7, static (_, _, _) => { });
            router.OnNoRoom = static context => context.Reply($"no room for {context.PacketId}");
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(["no room for 7"], client.Received<string>());
        Assert.True(client.Session.Connection.IsOpen);
    }

    [Fact]
    public async Task What_comes_from_a_sender_in_no_such_room_is_dropped_when_nobody_answers()
    {
        int handled = 0;
        await using RoomHarness<MemberRoom> harness = await StartAsync(
            router => router.MapRoomPacket<MemberRoom, TestMember, string>(7, (_, _, _) => handled++));
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(0, handled);
        Assert.Empty(client.Frames);
        Assert.True(client.Session.Connection.IsOpen);
    }

    [Fact]
    public async Task While_the_room_s_queue_is_full_the_sender_waits()
    {
        const int Packets = 40;
        int handled = 0;
        await using RoomHarness<MemberRoom> harness = await StartAsync(
            router => router.MapRoomPacket<MemberRoom, TestMember, string>((_, _, _) => handled++),
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
    public async Task A_message_that_does_not_last_until_the_turn_is_refused()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(
            static () =>
                StartAsync(static router =>
                    router.MapRoomPacket<MemberRoom, TestMember, int>(new TransientPacket(9), static (_, _, _) => { })));

        Assert.Contains("transient", e.Message, StringComparison.Ordinal);
    }

    private static Task<RoomHarness<MemberRoom>> StartAsync(Action<PacketRouter> map, int queueItems = 1024) => RoomHarness.StartAsync(
        static context => new MemberRoom(context), TextPackets.All, server => server.OnPackets(map).Options.Rooms.QueueItems = queueItems);
}
