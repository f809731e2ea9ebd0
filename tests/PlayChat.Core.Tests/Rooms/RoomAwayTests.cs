using PlayChat.Core.Diagnostics;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>Members of a room whose sessions are away and return.</summary>
public sealed class RoomAwayTests
{
    [Fact]
    public async Task A_member_that_is_away_keeps_its_seat_and_misses_what_is_sent()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync("ann");
        (HarnessClient other, _) = await harness.JoinAsync("bob");
        Session session = client.Session;
        await harness.BreakAsync(client);

        await harness.InTurnAsync(room =>
        {
            Assert.True(room.Find(session)!.IsAway);
            room.Broadcast("missed");
            Assert.False(room.Send(session, "missed"));
            room.BroadcastTo([session], "missed");
        });
        (HarnessClient returned, _) = await harness.ResumeAsync(token);
        await harness.InTurnAsync(room =>
        {
            Assert.False(room.Find(session)!.IsAway);
            room.Broadcast("1");
            room.BroadcastExcept(session, "not for ann");
            Assert.True(room.Send(session, "2"));
            room.BroadcastTo([session], "3");
            room.Broadcast("4");
        });

        Assert.Equal(["room: back", "1", "2", "3", "4"], returned.Texts());
        Assert.Equal(["missed", "1", "not for ann", "4"], other.Texts());
        Assert.Equal(2, harness.Room.MemberCount);
    }

    [Fact]
    public async Task What_a_room_has_broadcast_in_the_turn_of_a_return_is_not_for_the_member_that_returns()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient ann, byte[] token) = await harness.JoinAsync("ann");
        (HarnessClient bob, byte[] bobs) = await harness.JoinAsync("bob");
        await harness.BreakAsync(ann);
        await harness.BreakAsync(bob);
        HarnessClient first = await harness.Inner.ConnectAsync();
        HarnessClient second = await harness.Inner.ConnectAsync();

        // Both return in one turn: the turn is held by a job until both are announced.
        using var announced = new ManualResetEventSlim();
        Task<bool> held = harness.Room.RequestAsync(_ => announced.Wait(TestTimeouts.Hang)).AsTask();
        await harness.Sessions.ResumeAsync(first.Session.Connection, token);
        await harness.Sessions.ResumeAsync(second.Session.Connection, bobs);
        announced.Set();
        Assert.True(await held);
        await harness.Inner.IdleAsync();

        Assert.Equal(["room: back"], first.Texts());
        Assert.Equal(["room: back"], second.Texts());
    }

    [Fact]
    public async Task The_hook_for_the_absence_may_remove_the_member()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        harness.Room.SendsAway = true;
        (HarnessClient client, byte[] token) = await harness.JoinAsync();

        // Half open: the room learns of the break and of the return at once.
        (HarnessClient returned, _) = await harness.ResumeAsync(token);

        Assert.Equal(["leave Expelled", "away"], harness.Room.Hooks);
        Assert.Equal(0, harness.Room.MemberCount);
        Assert.Empty(client.Session.FindRooms<Room>());
        Assert.Empty(returned.Texts());
    }

    [Theory]
    [InlineData("away")]
    [InlineData("return")]
    public async Task A_hook_that_throws_is_counted_and_the_member_returns_all_the_same(string hook)
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        harness.Room.Faulty = hook;
        (_, byte[] token) = await harness.JoinAsync();

        (HarnessClient returned, _) = await harness.ResumeAsync(token);
        await harness.InTurnAsync(static room => room.Broadcast("all"));

        Assert.Equal(["away", "return"], harness.Room.Hooks);
        Assert.Equal(["room: back", "all"], returned.Texts());
        Assert.Equal(1, harness.Read(Counter.HandlerFaults));
    }

    [Fact]
    public async Task A_session_that_breaks_before_its_join_has_run_becomes_an_away_member_and_returns()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        AwayRoom second = harness.Server.Rooms.Create("second", static context => new AwayRoom(context));
        await harness.BreakAsync(client);

        Assert.True((await second.JoinAsync(client.Session)).IsJoined);
        await harness.Inner.IdleAsync();
        Assert.Equal(["away"], second.Hooks);
        (HarnessClient returned, _) = await harness.ResumeAsync(token);

        Assert.Equal(["away", "return"], second.Hooks);
        Assert.Equal(["room: back", "second: back"], returned.Texts().Order(StringComparer.Ordinal).ToArray());
    }

    [Fact]
    public async Task A_session_that_joins_during_the_welcome_gets_nothing_of_the_room_before_its_return()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        AwayRoom second = harness.Server.Rooms.Create("second", static context => new AwayRoom(context));
        await harness.BreakAsync(client);

        (HarnessClient returned, _) = await harness.ResumeAsync(token, async resumption =>
        {
            Assert.True((await second.JoinAsync(resumption.Session)).IsJoined);
            await second.RunAsync(static room => room.Broadcast("early"));
            resumption.Session.Connection.Send("welcome"u8);
        });

        Assert.Equal("welcome", returned.Texts()[0]);
        Assert.Equal(["room: back", "second: back"], returned.Texts()[1..].Order(StringComparer.Ordinal).ToArray());
    }

    [Fact]
    public async Task A_member_of_several_rooms_returns_to_each_and_a_room_that_it_left_is_not_told()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync();
        (HarnessClient client, byte[] token) = await harness.JoinAsync();
        AwayRoom second = harness.Server.Rooms.Create("second", static context => new AwayRoom(context));
        await second.JoinAsync(client.Session);
        Assert.Equal([harness.Room, second], client.Session.FindRooms<AwayRoom>());
        await harness.BreakAsync(client);

        await harness.ResumeAsync(token, async resumption => Assert.True(await second.LeaveAsync(resumption.Session)));

        Assert.Equal(["away", "return"], harness.Room.Hooks);
        Assert.Equal(["away", "leave Left"], second.Hooks);
    }
}
