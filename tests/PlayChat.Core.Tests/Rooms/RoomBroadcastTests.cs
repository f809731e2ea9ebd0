using PlayChat.Core.Diagnostics;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomBroadcastTests
{
    [Fact]
    public async Task Everybody_gets_what_is_his_in_the_order_of_the_turn_and_in_one_send()
    {
        await using var harness = new RoomHarness();
        Session[] members = await harness.EnterAsync(4);
        Session coming = harness.NewSession();
        Session stranger = harness.NewSession();

        await harness.InTurnAsync(room =>
        {
            room.Broadcast("1");
            room.BroadcastExcept(members[0], "2");
            room.Send(members[0], "3");
            room.BroadcastTo([members[1], members[2], stranger], "4");
            room.BroadcastExcept(members[0], "5");
            room.BroadcastExcept(members[0], "6");
            room.BroadcastExcept(members[1], "7");
            room.Enter(coming);
            room.BroadcastTo([coming, members[3]], "8");
            room.Broadcast("9");
            room.Leave(members[2]);
            room.BroadcastExcept(members[2], "a"); // no member any more
            room.Send(members[2], "b");
            room.BroadcastTo([], "nobody");
            room.Send(members[3], "c");
        });

        Assert.Equal(["1", "3", "7", "9", "a"], harness.Received(members[0]));
        Assert.Equal(["1", "2", "4", "5", "6", "9", "a"], harness.Received(members[1]));
        Assert.Equal(["1", "2", "4", "5", "6", "7", "9", "b"], harness.Received(members[2]));
        Assert.Equal(["1", "2", "5", "6", "7", "8", "9", "a", "c"], harness.Received(members[3]));
        Assert.Equal(["8", "9", "a"], harness.Received(coming));
        Assert.Equal(["4"], harness.Received(stranger));
        Assert.All(members.Append(coming).Append(stranger), session => Assert.Equal(1, harness.LinkOf(session).Sends));
        Assert.Equal(30, harness.Metrics.Read(Counter.Deliveries)); // all but the three of Send
    }

    [Fact]
    public async Task A_turn_leaves_nothing_to_the_next_one()
    {
        await using var harness = new RoomHarness();
        Session[] members = await harness.EnterAsync(3);
        await harness.InTurnAsync(room =>
        {
            room.BroadcastExcept(members[0], "1");
            room.BroadcastTo([members[1]], "2");
        });

        await harness.InTurnAsync(static room => room.Broadcast("3"));

        Assert.Equal(["3"], harness.Received(members[0]));
        Assert.Equal(["1", "2", "3"], harness.Received(members[1]));
        Assert.Equal(["1", "3"], harness.Received(members[2]));
    }

    [Fact]
    public async Task A_writer_s_fault_costs_its_frame_only()
    {
        await using var harness = new RoomHarness();
        Session[] members = await harness.EnterAsync(2);

        await harness.InTurnAsync(room =>
        {
            room.BroadcastExcept(members[0], "1");
            Assert.Throws<InvalidOperationException>(room.BroadcastBadly);
            Assert.Throws<ArgumentException>(() => room.BroadcastTo(members, new string('x', 70_000)));
            room.Send(members[1], "2");
            room.Broadcast("3");
        });

        Assert.Equal(["3"], harness.Received(members[0]));
        Assert.Equal(["1", "2", "3"], harness.Received(members[1]));
    }
}
