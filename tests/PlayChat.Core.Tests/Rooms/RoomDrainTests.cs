using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>
/// What comes after a turn has looked for it, and before a caller asks to wait: ends of sessions and due timers, which do not pass
/// through the queue.
/// </summary>
public sealed class RoomDrainTests
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(50);

    [Theory]
    [InlineData(1)]
    [InlineData(300)] // more than a turn takes
    public async Task Who_waits_for_the_rooms_waits_for_the_sessions_that_had_ended(int count)
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient[] clients = await harness.EnterAsync(count);

        HeldRoom held = await HeldRoom.HoldAsync(harness.Room);
        await EndAsync(clients);
        Task drained = harness.Server.Rooms.DrainAsync();
        held.Release();
        await drained.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(0, harness.Room.MemberCount);
    }

    [Fact]
    public async Task Who_waits_for_the_rooms_waits_for_the_timers_that_had_come_due()
    {
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync();
        await harness.InTurnAsync(static room => room.StartTick(20));

        HeldRoom held = await HeldRoom.HoldAsync(harness.Room);
        harness.Time.Advance(s_period);
        Task drained = harness.Server.Rooms.DrainAsync();
        held.Release();
        await drained.WaitAsync(TestTimeouts.Hang);

        Assert.Single(harness.Room.Ticks);
    }

    [Fact]
    public async Task Who_asks_in_the_turn_that_another_was_put_off_to_is_owed_a_turn_of_his_own()
    {
        // Of three items a turn: the hold, the first waiter and nothing; then the end, the clock's move and the second waiter.
        await using RoomHarness<TickRoom> harness = await TickRoom.StartAsync(static server => server.Options.Rooms.MaxItemsPerTurn = 3);
        TickRoom room = harness.Room;
        RoomRegistry rooms = harness.Server.Rooms;
        HarnessClient[] clients = await harness.ConnectAsync(1);
        await harness.InTurnAsync(inTurn => Assert.Equal(JoinStatus.Joined, inTurn.Join(clients[0].Session)));
        await harness.InTurnAsync(static inTurn => inTurn.StartTick(20));
        var asked = new TaskCompletionSource<Task>(TaskCreationOptions.RunContinuationsAsynchronously);

        HeldRoom held = await HeldRoom.HoldAsync(room);
        await EndAsync(clients);
        Task first = rooms.DrainAsync();
        room.Post(static (TickRoom _) => { });
        room.Post((TickRoom _) =>
        {
            harness.Time.Advance(s_period);
            asked.SetResult(rooms.DrainAsync());
        });
        held.Release();
        await (await asked.Task.WaitAsync(TestTimeouts.Hang)).WaitAsync(TestTimeouts.Hang);

        Assert.Single(room.Ticks);
        await first.WaitAsync(TestTimeouts.Hang);
    }

    /// <summary>Completes when the room has been told of the ends.</summary>
    private static async Task EndAsync(HarnessClient[] clients)
    {
        foreach (HarnessClient client in clients)
        {
            client.Break();
            await client.Session.Connection.Closed.WaitAsync(TestTimeouts.Hang);
        }
    }
}
