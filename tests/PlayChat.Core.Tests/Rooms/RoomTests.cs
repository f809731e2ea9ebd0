using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomTests
{
    [Fact]
    public async Task What_a_turn_broadcasts_and_replies_goes_out_in_one_send_a_member()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        HarnessClient[] members = await harness.EnterAsync(3);
        long before = harness.Figures().Sends;

        await harness.InTurnAsync(room =>
        {
            for (int i = 0; i < 20; i++)
            {
                room.Broadcast("all");
            }

            Assert.True(room.Send(members[1].Session, "you"));
        });

        Assert.Equal(3, harness.Figures().Sends - before);
        Assert.Equal([20, 21, 20], members.Select(static member => member.Frames.Count));
    }

    [Fact]
    public async Task Membership_is_exact_under_1500_posts_for_1000_seats()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync(
            static server => (server.Options.Rooms.MaxMembers, server.Options.Rooms.QueueItems) = (1000, 2048));
        HarnessClient[] clients = await harness.ConnectAsync(1500);
        int[] results = new int[Enum.GetValues<JoinStatus>().Length];

        await Task.WhenAll(clients.Chunk(250).Select(chunk => Task.Run(() =>
        {
            foreach (HarnessClient client in chunk)
            {
                Assert.True(harness.Room.Post((room, session) => results[(int)room.Join(session)]++, client.Session));
            }
        })));
        await harness.IdleAsync();

        Assert.Equal(1000, harness.Room.MemberCount);
        Assert.Equal(1000, results[(int)JoinStatus.Joined]);
        Assert.Equal(500, results[(int)JoinStatus.Full]);
    }

    [Fact]
    public async Task A_member_whose_session_ended_leaves_even_when_the_queue_is_full()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync(static server => server.Options.Rooms.QueueItems = 16);
        HarnessClient[] members = await harness.EnterAsync(2);
        using (await HeldRoom.HoldAsync(harness.Room))
        {
            while (harness.Room.Post(static _ => { }))
            {
                // Until it is full.
            }

            members[0].Break();
            await members[0].Session.Connection.Closed.WaitAsync(TestTimeouts.Hang);
            Assert.Equal(2, harness.Room.MemberCount);
        }

        await harness.IdleAsync();

        Assert.Equal(1, harness.Room.MemberCount);
        Assert.Equal([members[0].Session], harness.Room.Lost);
    }

    [Fact]
    public async Task Sessions_that_end_while_they_enter_are_never_left_behind()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        foreach (HarnessClient client in await harness.ConnectAsync(500))
        {
            Assert.True(harness.Room.Post(static (room, session) => room.Join(session), client.Session));
            client.Break();
        }

        await harness.IdleAsync();

        Assert.Equal(0, harness.Room.MemberCount);
    }

    [Fact]
    public async Task A_job_that_throws_leaves_the_room_working()
    {
        var logger = new RecordingLogger();
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync(server => server.UseLogging(logger));
        HarnessClient member = (await harness.EnterAsync(1))[0];
        long buffers = harness.Figures().PoolInUse;

        harness.Room.Post(static room =>
        {
            room.Broadcast("before");
            throw new InvalidOperationException("A job's fault.");
        });
        await harness.IdleAsync();
        harness.Room.Post(static room => room.BroadcastBadly());
        await harness.InTurnAsync(static room => room.Broadcast("after"));

        Assert.Equal(["before", "after"], member.Texts());
        Assert.Equal(2, logger.Count("JobFault"));
        Assert.Equal(buffers, harness.Figures().PoolInUse);
    }

    [Fact]
    public async Task A_removed_room_refuses_posts_but_runs_what_was_queued()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        bool ran = false;
        bool? taken = null;

        harness.Room.Post(room =>
        {
            // Queued while the turn runs, before the removal.
            Assert.True(room.Post(_ => ran = true));
            room.Remove();
            taken = room.Post(static _ => { });
        });
        await harness.IdleAsync();

        Assert.Equal((true, false), (ran, taken));
        Assert.False(await harness.Room.PostAsync(static (_, _) => { }, (object?)null));
        Assert.Null(harness.Server.Rooms.Find(harness.Room.Id));
        Assert.True(harness.Room.IsRemoved);
        Assert.Equal(1, harness.Figures().RoomsRemoved);
    }

    [Fact]
    public async Task Rooms_have_ids_from_1_on_that_go_on_behind_an_earlier_run()
    {
        await using RoomHarness<TestRoom> harness = await TestRoom.StartAsync();
        RoomRegistry rooms = harness.Server.Rooms;
        Assert.Equal(1, harness.Room.Id);

        rooms.ContinueAfter(41);
        rooms.ContinueAfter(7);

        TestRoom next = rooms.Create("next", static context => new TestRoom(context));
        Assert.Equal(42, next.Id);
        Assert.Same(next, rooms.Find(42));
        Assert.Equal(2, rooms.Count);
    }
}
