using PlayChat.Core;
using PlayChat.Core.Rooms;

namespace PlayChat.Matchmaking.Tests;

public sealed class SeatTests
{
    [Fact]
    public async Task A_reserved_seat_is_taken_by_no_session_without_its_token()
    {
        await using RoomHarness<GameQueue> harness = await StartAsync();
        (HarnessClient ann, Seated seat) = await PlayAsync(harness);
        GameMatch match = harness.Room.Matches[0];
        ann.Break();
        await harness.IdleAsync();
        HarnessClient eve = await harness.ConnectAsync();
        byte[] guess = seat.Token.ToArray();
        guess[15] ^= 1;

        Assert.All(
            [await match.JoinAsync(eve.Session, default), await match.JoinAsync(eve.Session, guess),
                await match.JoinAsync(eve.Session, seat.Token[..15])],
            static result => Assert.Equal("No seat has this token.", result.Reason));
        Assert.True((await match.JoinAsync(eve.Session, seat.Token)).IsJoined);
    }

    [Fact]
    public async Task A_player_whose_process_died_comes_back_by_its_token_to_the_same_seat()
    {
        await using RoomHarness<GameQueue> harness = await StartAsync();
        (HarnessClient ann, Seated seat) = await PlayAsync(harness);
        GameMatch match = harness.Room.Matches[0];
        MatchSeat<Find> before = match.Seats.All.Single(each => each.Member?.Session == ann.Session);
        ann.Break();
        await harness.PassAsync(29);

        HarnessClient again = await harness.ConnectAsync();
        JoinResult<GameMatch.Player> result = await match.JoinAsync(again.Session, seat.Token);
        await harness.PassAsync(60); // no wait that has ended gives the seat up

        Assert.Same(before, result.Member!.Seat);
        Assert.Equal((result.Member, false), (before.Member, before.IsGivenUp));
        Assert.Empty(match.GivenUp);
    }

    [Fact]
    public async Task A_token_takes_the_seat_over_from_a_connection_that_the_server_believes_alive()
    {
        await using RoomHarness<GameQueue> harness = await StartAsync();
        (HarnessClient ann, Seated seat) = await PlayAsync(harness);
        GameMatch match = harness.Room.Matches[0];

        HarnessClient again = await harness.ConnectAsync();
        JoinResult<GameMatch.Player> result = await match.JoinAsync(again.Session, seat.Token);
        await harness.PassAsync(60);

        Assert.True(result.IsJoined);
        Assert.Equal((2, false), (match.MemberCount, result.Member.Seat.IsGivenUp));
        Assert.Null(ann.Session.FindRoom<GameMatch>());
    }

    [Fact]
    public async Task A_seat_whose_player_stays_away_is_given_up_and_its_token_is_void()
    {
        await using RoomHarness<GameQueue> harness = await StartAsync();
        (HarnessClient ann, Seated seat) = await PlayAsync(harness);
        GameMatch match = harness.Room.Matches[0];
        ann.Break();

        await harness.PassAsync(29);
        Assert.Empty(match.GivenUp);
        await harness.PassAsync(2);

        Assert.Equal("ann", Assert.Single(match.GivenUp).Ticket!.Name);
        HarnessClient late = await harness.ConnectAsync();
        Assert.Equal(JoinStatus.Refused, (await match.JoinAsync(late.Session, seat.Token)).Status);
        Assert.True(match.Seats.HasPlayers); // bob
    }

    [Fact]
    public async Task A_player_that_leaves_or_is_taken_out_gives_its_seat_up_at_once()
    {
        await using RoomHarness<GameQueue> harness = await StartAsync();
        (HarnessClient ann, Seated seat) = await PlayAsync(harness);
        GameMatch match = harness.Room.Matches[0];

        await match.LeaveAsync(ann.Session);

        Assert.Equal("ann", Assert.Single(match.GivenUp).Ticket!.Name);
        Assert.Equal(JoinStatus.Refused, (await match.JoinAsync(ann.Session, seat.Token)).Status);
    }

    [Fact]
    public async Task A_member_that_is_away_keeps_its_seat_while_its_session_may_resume_and_then_the_seat_waits()
    {
        await using RoomHarness<GameQueue> harness = await StartAsync();
        (HarnessClient ann, Seated seat) = await PlayAsync(harness);
        GameMatch match = harness.Room.Matches[0];
        await harness.Server.Sessions.IssueResumeTokenAsync(ann.Session);
        ann.Break();

        await harness.PassAsync(19);
        Assert.NotNull(match.Seats.All.Single(static each => each.Ticket!.Name == "ann").Member);
        await harness.PassAsync(3); // the session has ended
        Assert.Null(match.Seats.All.Single(static each => each.Ticket!.Name == "ann").Member);
        await harness.PassAsync(25);
        Assert.Empty(match.GivenUp);

        HarnessClient again = await harness.ConnectAsync();
        Assert.True((await match.JoinAsync(again.Session, seat.Token)).IsJoined);
    }

    [Fact]
    public async Task A_token_takes_the_seat_over_from_a_session_that_is_away()
    {
        await using RoomHarness<GameQueue> harness = await StartAsync();
        (HarnessClient ann, Seated seat) = await PlayAsync(harness);
        GameMatch match = harness.Room.Matches[0];
        await harness.Server.Sessions.IssueResumeTokenAsync(ann.Session);
        ann.Break();
        await harness.IdleAsync();

        HarnessClient again = await harness.ConnectAsync();
        await match.JoinAsync(again.Session, seat.Token);
        await harness.PassAsync(60);

        Assert.Equal(2, match.MemberCount);
        Assert.Empty(match.GivenUp);
    }

    [Fact]
    public async Task Seats_of_players_that_never_came_are_given_up_and_vacant_ones_at_once()
    {
        await using RoomHarness<GameQueue> harness = await StartAsync();
        HarnessClient gone = await harness.ConnectAsync();
        await harness.Server.Sessions.EndAsync(gone.Session, CloseReason.LocalClose);
        var vacant = new MatchSeat<Find>(1, null, null);
        var left = new MatchSeat<Find>(0, new Find("gone"), gone.Session);
        GameMatch match = harness.Server.Rooms.Create("match", context => new GameMatch(context, [left, vacant]));

        await harness.PassAsync(1);
        Assert.Equal([vacant], match.GivenUp);
        await harness.PassAsync(30);

        Assert.Equal([vacant, left], match.GivenUp);
        Assert.Equal((0, false), (match.Seats.All.Count, match.Seats.HasPlayers));
    }

    [Fact]
    public async Task A_player_joins_a_running_match_by_a_seat_that_is_added()
    {
        await using RoomHarness<GameQueue> harness = await StartAsync();
        await PlayAsync(harness);
        GameMatch match = harness.Room.Matches[0];
        HarnessClient cid = await harness.ConnectAsync();
        var seat = new MatchSeat<Find>(0, new Find("cid"), cid.Session);

        match.Post(room => room.Seats.Add([seat]));
        await harness.PassAsync();

        Assert.Equal(seat.Token.ToArray(), Assert.Single(cid.Received<Seated>()).Token.ToArray());
        Assert.Equal(3, match.MemberCount);
    }

    private static Task<RoomHarness<GameQueue>> StartAsync() => Game.StartAsync(new MatchRules<Find> { TeamSizes = [1, 1] });

    /// <summary>Begins a match of ann and bob.</summary>
    private static async Task<(HarnessClient Ann, Seated Seat)> PlayAsync(RoomHarness<GameQueue> harness)
    {
        HarnessClient ann = await harness.EnterAsync("ann");
        await harness.EnterAsync("bob");
        await harness.PassAsync();
        return (ann, Assert.Single(ann.Received<Seated>()));
    }
}
