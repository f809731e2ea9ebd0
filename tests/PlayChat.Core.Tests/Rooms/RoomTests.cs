using PlayChat.Core.Diagnostics;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomTests
{
    [Fact]
    public async Task What_a_turn_broadcasts_and_replies_goes_out_in_one_send_a_member()
    {
        await using var harness = new RoomHarness();
        Session[] members = await harness.EnterAsync(3);

        await harness.InTurnAsync(room =>
        {
            for (int i = 0; i < 20; i++)
            {
                room.Broadcast("all");
            }

            Assert.True(room.Send(members[1], "you"));
        });

        Assert.All(members, member => Assert.Equal(1, harness.LinkOf(member).Sends));
        Assert.Equal(20, harness.Received(members[0]).Length);
        Assert.Equal(21, harness.Received(members[1]).Length);
    }

    [Fact]
    public async Task Membership_is_exact_under_1500_posts_for_1000_seats()
    {
        await using var harness = new RoomHarness(rooms: o => (o.MaxMembers, o.QueueItems) = (1000, 2048));
        Session[] sessions = [.. Enumerable.Range(0, 1500).Select(_ => harness.NewSession())];
        int[] results = new int[Enum.GetValues<EnterResult>().Length];

        await Task.WhenAll(sessions.Chunk(250).Select(chunk => Task.Run(() =>
        {
            foreach (Session session in chunk)
            {
                Assert.True(harness.Room.Post((TestRoom room, Session s, int[] r) => r[(int)room.Enter(s)]++, session, results));
            }
        })));
        await harness.FlushedAsync();

        Assert.Equal(1000, harness.Room.MemberCount);
        Assert.Equal(1000, results[(int)EnterResult.Entered]);
        Assert.Equal(500, results[(int)EnterResult.Full]);
    }

    [Fact]
    public async Task A_member_whose_session_ended_leaves_even_when_the_queue_is_full()
    {
        await using var harness = new RoomHarness(rooms: o => o.QueueItems = 16);
        Session[] members = await harness.EnterAsync(2);
        using var hold = new ManualResetEventSlim();
        using var holding = new ManualResetEventSlim();
        harness.Room.Post((TestRoom _) =>
        {
            holding.Set();
            hold.Wait(TestTimeouts.Hang);
        });
        Assert.True(holding.Wait(TestTimeouts.Hang));
        while (harness.Room.Post(static (TestRoom _) => { }))
        {
            // Until it is full.
        }

        harness.Sessions.Close(members[0]);
        hold.Set();
        await harness.FlushedAsync();

        await Eventually.TrueAsync(() => harness.Room.MemberCount == 1);
        await harness.InTurnAsync(room => Assert.Equal([members[0]], room.Lost));
    }

    [Fact]
    public async Task Sessions_that_end_while_they_enter_are_never_left_behind()
    {
        await using var harness = new RoomHarness();
        for (int i = 0; i < 500; i++)
        {
            Session session = harness.NewSession();
            harness.Room.Post(static (TestRoom room, Session s, object? _) => room.Enter(s), session, null);
            harness.Sessions.Close(session);
        }

        await harness.FlushedAsync();
        await Eventually.TrueAsync(() => harness.Room.MemberCount == 0);
    }

    [Fact]
    public async Task A_job_that_throws_leaves_the_room_working()
    {
        await using var harness = new RoomHarness();
        Session[] members = await harness.EnterAsync(1);

        await harness.InTurnAsync(static room =>
        {
            room.Broadcast("before");
            throw new InvalidOperationException("A job's fault.");
        });
        await harness.InTurnAsync(static room => room.BroadcastBadly());
        await harness.InTurnAsync(static room => room.Broadcast("after"));

        Assert.Equal(["before", "after"], harness.Received(members[0]));
        Assert.Equal(2, harness.Logger.Count("JobFault"));
        Assert.Equal(1, harness.Pool.InUse); // what the one member receives into
    }

    [Fact]
    public async Task A_removed_room_refuses_posts_but_runs_what_was_queued()
    {
        await using var harness = new RoomHarness();
        int ran = 0;
        var first = new TaskCompletionSource<bool>();

        harness.Room.Post((TestRoom room) =>
        {
            // Queued while the turn runs, before the removal.
            Assert.True(room.Post((TestRoom _) => Volatile.Write(ref ran, 1)));
            room.Remove();
            first.SetResult(room.Post(static (TestRoom _) => { }));
        });

        Assert.False(await first.Task.WaitAsync(TestTimeouts.Hang));
        Assert.False(await harness.Room.PostAsync(static (TestRoom _, object? _, object? _) => { }, null, null));
        await Eventually.TrueAsync(() => Volatile.Read(ref ran) == 1);
        Assert.Null(harness.Rooms.Find(harness.Room.Id));
        Assert.True(harness.Room.IsRemoved);
        Assert.Equal(1, harness.Metrics.Read(Counter.RoomsRemoved));
    }

    [Fact]
    public async Task Rooms_have_ids_from_1_on_that_go_on_behind_an_earlier_run()
    {
        await using var harness = new RoomHarness();
        Assert.Equal(1, harness.Room.Id);

        harness.Rooms.ContinueAfter(41);
        harness.Rooms.ContinueAfter(7);

        TestRoom next = harness.Rooms.Create("next", static context => new TestRoom(context));
        Assert.Equal(42, next.Id);
        Assert.Same(next, harness.Rooms.Find(42));
        Assert.Equal(2, harness.Rooms.Count);
        await harness.Rooms.DrainAsync(CancellationToken.None).WaitAsync(TestTimeouts.Hang);
    }
}
