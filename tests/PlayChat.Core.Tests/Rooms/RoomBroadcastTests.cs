using PlayChat.Core.Connections;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomBroadcastTests
{
    [Fact]
    public async Task Everybody_gets_what_is_his_in_the_order_of_the_turn_and_in_one_send()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient[] members = await harness.EnterAsync(4);
        HarnessClient coming = await harness.ConnectAsync();
        HarnessClient stranger = await harness.ConnectAsync();
        long before = harness.Figures().Sends;

        await harness.InTurnAsync(room =>
        {
            room.Broadcast("1");
            room.BroadcastExcept(members[0].Session, "2");
            room.Send(members[0].Session, "3");
            room.BroadcastTo([members[1].Session, members[2].Session, stranger.Session], "4");
            room.BroadcastExcept(members[0].Session, "5");
            room.BroadcastExcept(members[0].Session, "6");
            room.BroadcastExcept(members[1].Session, "7");
            room.Join(coming.Session);
            room.BroadcastTo([coming.Session, members[3].Session], "8");
            room.Broadcast("9");
            room.Leave(members[2].Session);
            room.BroadcastExcept(members[2].Session, "a"); // no member any more
            room.Send(members[2].Session, "b");
            room.BroadcastTo([], "nobody");
            room.Send(members[3].Session, "c");
        });

        Assert.Equal(["1", "3", "7", "9", "a"], members[0].Texts());
        Assert.Equal(["1", "2", "4", "5", "6", "9", "a"], members[1].Texts());
        Assert.Equal(["1", "2", "4", "5", "6", "7", "9", "b"], members[2].Texts());
        Assert.Equal(["1", "2", "5", "6", "7", "8", "9", "a", "c"], members[3].Texts());
        Assert.Equal(["8", "9", "a"], coming.Texts());
        Assert.Equal(["4"], stranger.Texts());
        Assert.Equal(6, harness.Figures().Sends - before);
        Assert.Equal(30, harness.Figures().Deliveries); // all but the three of Send
    }

    [Fact]
    public async Task A_turn_leaves_nothing_to_the_next_one()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient[] members = await harness.EnterAsync(3);
        await harness.InTurnAsync(room =>
        {
            room.BroadcastExcept(members[0].Session, "1");
            room.BroadcastTo([members[1].Session], "2");
        });

        await harness.InTurnAsync(static room => room.Broadcast("3"));

        Assert.Equal(["3"], members[0].Texts());
        Assert.Equal(["1", "2", "3"], members[1].Texts());
        Assert.Equal(["1", "3"], members[2].Texts());
    }

    [Fact]
    public async Task A_writer_s_fault_costs_its_frame_only()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient[] members = await harness.EnterAsync(2);

        await harness.InTurnAsync(room =>
        {
            room.BroadcastExcept(members[0].Session, "1");
            Assert.Throws<InvalidOperationException>(room.BroadcastBadly);
            Assert.Throws<ArgumentException>(() => room.BroadcastTo([members[0].Session, members[1].Session], new string('x', 70_000)));
            room.Send(members[1].Session, "2");
            room.Broadcast("3");
        });

        Assert.Equal(["3"], members[0].Texts());
        Assert.Equal(["1", "2", "3"], members[1].Texts());
    }

    [Fact]
    public async Task Members_who_read_get_every_frame_in_order_whatever_its_class()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient[] members = await harness.EnterAsync(2);
        HarnessClient coming = await harness.ConnectAsync();
        long before = harness.Figures().Sends;

        await harness.InTurnAsync(room =>
        {
            room.Broadcast("1");
            room.Broadcast("2", Delivery.LatestOnly(1));
            room.Broadcast("3", Delivery.DropIfBehind);
            room.BroadcastExcept(members[1].Session, "4", Delivery.LatestOnly(2));
            room.Join(coming.Session);
            room.Broadcast("5", Delivery.LatestOnly(1));
            room.Broadcast("6");
        });

        Assert.Equal(["1", "2", "3", "4", "5", "6"], members[0].Texts());
        Assert.Equal(["1", "2", "3", "5", "6"], members[1].Texts());
        Assert.Equal(["5", "6"], coming.Texts());
        Assert.Equal(3, harness.Figures().Sends - before);
    }

    [Fact]
    public async Task Members_that_come_and_go_within_a_turn_cost_the_others_no_send_of_their_own()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient[] members = await harness.EnterAsync(3);
        HarnessClient coming = await harness.ConnectAsync();
        long before = harness.Figures().Sends;

        await harness.InTurnAsync(room =>
        {
            room.Broadcast("1");
            room.Join(coming.Session);
            room.Broadcast("2");
            room.Leave(members[2].Session);
            room.Broadcast("3");
            room.Leave(members[1].Session);
        });

        Assert.Equal(4, harness.Figures().Sends - before);
        Assert.Equal(["1", "2", "3"], members[0].Texts());
        Assert.Equal(["1", "2", "3"], members[1].Texts());
        Assert.Equal(["1", "2"], members[2].Texts());
        Assert.Equal(["2", "3"], coming.Texts());
    }

    [Fact]
    public async Task A_delivery_counts_only_when_the_member_s_queue_took_it()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient[] members = await harness.EnterAsync(3);

        await harness.InTurnAsync(room =>
        {
            members[1].Session.Connection.Close();
            room.Broadcast("1");
        });

        Assert.Equal(2, harness.Figures().Deliveries);
        Assert.Empty(members[1].Texts());
    }
}
