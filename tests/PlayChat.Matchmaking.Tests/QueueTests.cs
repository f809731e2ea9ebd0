using System.Diagnostics.Metrics;
using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Matchmaking.Tests;

public sealed class QueueTests
{
    private static readonly MatchRules<Find> s_duel = new() { TeamSizes = [1, 1] };

    private static readonly MatchRules<Find> s_accepted = new() { TeamSizes = [1, 1], AcceptWithin = TimeSpan.FromSeconds(10) };

    private static readonly MatchRules<Find> s_parties = new()
    {
        TeamSizes = [2, 2],
        Party = static find => find.Party is { } key ? new MatchParty(key, find.PartySize) : null,
    };

    [Fact]
    public async Task The_server_moves_players_that_wait_to_the_room_of_their_match()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_duel);
        HarnessClient ann = await harness.EnterAsync("ann");
        HarnessClient bob = await harness.EnterAsync("bob");
        await harness.PassAsync();

        GameMatch match = Assert.Single(harness.Room.Matches);
        Assert.Equal([match.Id, match.Id], new[] { ann, bob }.Select(static client => Assert.Single(client.Received<Seated>()).Room));
        Assert.Equal((0, 2), (harness.Room.MemberCount, match.MemberCount));
        Assert.Equal([MatchState.Waiting], ann.States());
    }

    [Fact]
    public async Task Without_ratings_tickets_are_served_in_the_order_of_their_arrival()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_duel);
        foreach (string name in (string[])["a", "b", "c", "d", "e"])
        {
            await harness.EnterAsync(name);
        }

        await harness.PassAsync();

        Assert.Equal(["a - b", "c - d"], harness.Matches());
        Assert.Equal(1, harness.Room.MemberCount);
    }

    [Fact]
    public async Task The_window_of_the_oldest_ticket_widens_until_the_nearest_one_fits()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(new MatchRules<Find>
        {
            TeamSizes = [1, 1],
            Rating = static find => find.Rating,
            Window = static waited => 100 + (20 * waited.TotalSeconds),
        });
        await harness.EnterAsync("ann", 1000);
        await harness.PassAsync(1);
        await harness.EnterAsync("far", 2000);
        await harness.EnterAsync("bob", 1300);

        await harness.PassAsync(7); // 8 s: a window of 260
        Assert.Empty(harness.Matches());
        await harness.PassAsync(3); // 11 s: one of 320

        Assert.Equal(["ann - bob"], harness.Matches());
    }

    [Fact]
    public async Task A_party_waits_until_it_is_complete_and_plays_in_one_team()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_parties);
        await harness.EnterAsync(new Find("p", Party: "x", PartySize: 2));
        await harness.EnterAsync("a");
        await harness.EnterAsync("b");
        await harness.PassAsync();
        Assert.Empty(harness.Matches());

        await harness.EnterAsync(new Find("q", Party: "x", PartySize: 2));
        HarnessClient stranger = await harness.ConnectAsync();
        JoinResult<MatchPlayer<Find>> refused = await harness.Room.JoinAsync(stranger.Session, new Find("r", Party: "x", PartySize: 2));
        await harness.PassAsync();

        Assert.Equal("The party is complete.", refused.Reason);
        Assert.Equal(["p+q - a+b"], harness.Matches());
    }

    [Fact]
    public async Task When_a_player_leaves_its_party_is_out()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_parties);
        HarnessClient ann = await harness.EnterAsync(new Find("ann", Party: "x", PartySize: 2));
        HarnessClient bob = await harness.EnterAsync(new Find("bob", Party: "x", PartySize: 2));

        await harness.Room.LeaveAsync(ann.Session);
        await harness.IdleAsync();
        await harness.EnterAsync(new Find("bob again", Party: "x", PartySize: 2)); // the key is free

        Assert.Equal([MatchState.Waiting, MatchState.Cancelled], ann.States());
        Assert.Equal([MatchState.Waiting, MatchState.PartyLeft], bob.States());
        Assert.Equal(1, harness.Room.MemberCount);
    }

    [Fact]
    public async Task A_ticket_that_has_expired_leaves_the_queue()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(new MatchRules<Find>
        {
            TeamSizes = [1, 1],
            ExpireAfter = TimeSpan.FromSeconds(5),
        });
        HarnessClient ann = await harness.EnterAsync("ann");

        await harness.PassAsync(4.5);
        Assert.Equal([MatchState.Waiting], ann.States());
        await harness.PassAsync(1);

        Assert.Equal([MatchState.Waiting, MatchState.Expired], ann.States());
        Assert.Equal(0, harness.Room.MemberCount);
    }

    [Theory]
    [InlineData(1, new string[0])]
    [InlineData(3, new[] { "0+2 - 1+vacant" })]
    public async Task At_its_deadline_a_ticket_plays_with_those_that_wait_if_they_are_enough(int players, string[] matches)
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(new MatchRules<Find>
        {
            TeamSizes = [2, 2],
            ExpireAfter = TimeSpan.FromSeconds(5),
            MayStartShort = static count => count >= 2,
        });
        for (int i = 0; i < players; i++)
        {
            await harness.EnterAsync($"{i}");
        }

        await harness.PassAsync(7);

        Assert.Equal(matches, harness.Matches());
        Assert.Equal(0, harness.Room.MemberCount);
        Assert.Equal(matches.Length, harness.Room.Matches.Sum(static match => match.GivenUp.Count));
    }

    [Fact]
    public async Task A_match_begins_when_all_have_accepted()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_accepted);
        HarnessClient ann = await harness.EnterAsync("ann");
        HarnessClient bob = await harness.EnterAsync("bob");
        await harness.PassAsync();

        Told offer = ann.Received<Told>()[^1];
        Assert.Equal((MatchState.Offered, 10), (offer.State, offer.AnswerWithin));
        await harness.AnswerAsync(ann, accepts: true);
        await harness.AnswerAsync(ann, accepts: true);
        Assert.Empty(harness.Matches());
        await harness.AnswerAsync(bob, accepts: true);

        Assert.Equal(["ann - bob"], harness.Matches());
    }

    [Theory]
    [InlineData(true)] // bob declines
    [InlineData(false)] // bob does not answer
    public async Task A_player_that_does_not_accept_is_out_and_the_others_keep_their_place(bool declines)
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_accepted);
        HarnessClient ann = await harness.EnterAsync("ann");
        HarnessClient bob = await harness.EnterAsync("bob");
        await harness.PassAsync();
        HarnessClient cid = await harness.EnterAsync("cid");
        await harness.AnswerAsync(ann, accepts: true);

        if (declines)
        {
            await harness.AnswerAsync(bob, accepts: false);
        }
        else
        {
            await harness.PassAsync(10);
        }

        Assert.Equal([MatchState.Waiting, MatchState.Offered, MatchState.Declined], bob.States());
        Assert.Equal([MatchState.Waiting, MatchState.Offered, MatchState.Waiting], ann.States()[..3]);
        await harness.EnterAsync("dan");
        await harness.PassAsync();
        Assert.Equal([MatchState.Offered, MatchState.Offered], new[] { ann, cid }.Select(static client => client.States()[^1]));
        await harness.AnswerAsync(cid, accepts: true);
        Assert.Empty(harness.Matches()); // what ann has accepted before does not count
        await harness.AnswerAsync(ann, accepts: true);
        Assert.Equal(["ann - cid"], harness.Matches());
    }

    [Fact]
    public async Task A_player_that_leaves_during_an_offer_frees_the_others()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_accepted);
        HarnessClient ann = await harness.EnterAsync("ann");
        HarnessClient bob = await harness.EnterAsync("bob");
        await harness.PassAsync();

        bob.Break();
        await harness.IdleAsync();
        await harness.EnterAsync("cid");
        await harness.PassAsync();

        Assert.Equal([MatchState.Waiting, MatchState.Offered, MatchState.Waiting, MatchState.Offered], ann.States());
    }

    [Fact]
    public async Task A_player_that_leaves_after_the_search_and_before_the_match_is_in_no_match()
    {
        Func<Task> duringSearch = static () => Task.CompletedTask;
        Task searched = Task.CompletedTask;
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(new MatchRules<Find>
        {
            TeamSizes = [1, 1],
            Window = _ =>
            {
                searched = duringSearch();
                return 0;
            },
        });
        HarnessClient ann = await harness.EnterAsync("ann");
        HarnessClient bob = await harness.EnterAsync("bob");
        duringSearch = () => harness.Room.LeaveAsync(bob.Session).AsTask(); // runs behind the timers of this turn

        await harness.PassAsync();
        await searched;

        Assert.Empty(harness.Matches());
        Assert.Equal([MatchState.Waiting, MatchState.Cancelled], bob.States());
        Assert.Equal([MatchState.Waiting, MatchState.Waiting], ann.States());
    }

    [Fact]
    public async Task A_player_that_is_away_keeps_its_place_and_is_matched_when_it_is_back()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_duel);
        HarnessClient ann = await harness.EnterAsync("ann");
        ReadOnlyMemory<byte> token = await harness.Server.Sessions.IssueResumeTokenAsync(ann.Session);
        ann.Break();
        await harness.IdleAsync();
        await harness.EnterAsync("bob");
        await harness.PassAsync(3);
        Assert.Empty(harness.Matches());

        HarnessClient back = await harness.ResumeAsync(token);
        Assert.Equal(new Told(MatchState.Waiting, 3, 0, 0), Assert.Single(back.Received<Told>()));
        await harness.EnterAsync("cid");
        await harness.PassAsync();

        Assert.Equal(["ann - bob"], harness.Matches());
        Assert.Single(back.Received<Seated>());
    }

    [Fact]
    public async Task A_player_that_is_away_during_an_offer_can_accept_it_when_it_is_back()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_accepted);
        HarnessClient ann = await harness.EnterAsync("ann");
        HarnessClient bob = await harness.EnterAsync("bob");
        ReadOnlyMemory<byte> token = await harness.Server.Sessions.IssueResumeTokenAsync(ann.Session);
        await harness.PassAsync(1);
        ann.Break();
        await harness.AnswerAsync(bob, accepts: true);
        await harness.PassAsync(4);

        HarnessClient back = await harness.ResumeAsync(token);
        Assert.Equal(new Told(MatchState.Offered, 5, 0, 6), Assert.Single(back.Received<Told>()));
        await harness.AnswerAsync(back, accepts: true);

        Assert.Equal(["ann - bob"], harness.Matches());
    }

    [Fact]
    public async Task A_player_whose_session_has_ended_is_out()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_duel);
        HarnessClient ann = await harness.EnterAsync("ann");

        ann.Break();
        await harness.EnterAsync("bob");
        await harness.PassAsync();

        Assert.Empty(harness.Matches());
        Assert.Equal(["bob"], await harness.Room.RequestAsync(static room => room.Names()));
    }

    [Fact]
    public async Task Players_that_do_not_fit_are_not_matched()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(new MatchRules<Find>
        {
            TeamSizes = [1, 1],
            Fits = static (one, other) => one.Name[0] != other.Name[0],
        });
        foreach (string name in (string[])["a1", "a2", "a3", "b1"])
        {
            await harness.EnterAsync(name);
        }

        await harness.PassAsync();

        Assert.Equal(["a1 - b1"], harness.Matches());
    }

    [Fact]
    public async Task A_player_is_in_one_queue_at_a_time()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_duel);
        HarnessClient ann = await harness.EnterAsync("ann");
        GameQueue other = harness.Server.Rooms.Create("other", static context => new GameQueue(context, s_duel));

        Assert.Equal("The player is in a queue already.", (await other.JoinAsync(ann.Session, new Find("ann"))).Reason);
    }

    [Theory]
    [InlineData(double.NaN, 1, "The rating is not a finite number.")]
    [InlineData(0, 3, "A party has 1 to 2 players.")]
    [InlineData(0, 0, "A party has 1 to 2 players.")]
    public async Task A_ticket_that_no_match_can_take_is_refused(double rating, int partySize, string reason)
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(new MatchRules<Find>
        {
            TeamSizes = [2, 1],
            Rating = static find => find.Rating,
            Party = static find => new MatchParty(find.Name, find.PartySize),
        });
        HarnessClient ann = await harness.ConnectAsync();

        Assert.Equal(reason, (await harness.Room.JoinAsync(ann.Session, new Find("ann", rating, PartySize: partySize))).Reason);
    }

    [Fact]
    public async Task When_the_room_of_a_match_cannot_be_created_its_players_are_told_and_other_matches_begin()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_duel);
        HarnessClient ann = await harness.EnterAsync("ann");
        await harness.EnterAsync("bob");
        await harness.EnterAsync("cid");
        await harness.EnterAsync("dan");
        harness.Room.OnMatching = () =>
        {
            harness.Room.OnMatching = static () => { };
            throw new InvalidOperationException("no room");
        };

        await harness.PassAsync();

        Assert.Equal([MatchState.Waiting, MatchState.Failed], ann.States());
        Assert.Equal(["cid - dan"], harness.Matches());
        Assert.Equal(0, harness.Room.MemberCount);
    }

    [Fact]
    public async Task Players_that_wait_are_told_again_at_each_interval()
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_duel);
        HarnessClient ann = await harness.EnterAsync("ann");

        await harness.PassAsync(25.5);

        Assert.Equal([0, 10, 20], ann.Received<Told>().Select(static told => told.Waited));
    }

    [Fact]
    public async Task The_figures_and_the_meter_tell_of_the_queue()
    {
        var counted = new Dictionary<string, double>(StringComparer.Ordinal);
        using MeterListener listener = Listen("figures", counted);
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(s_accepted, name: "figures");
        HarnessClient ann = await harness.EnterAsync("ann");
        await harness.PassAsync(3);
        HarnessClient bob = await harness.EnterAsync("bob");
        await harness.EnterAsync("cid");
        await harness.PassAsync(1);
        await harness.PassAsync(1);

        Assert.Equal(new MatchQueueFigures(3, 2, 5 * Game.Second, TimeSpan.Zero, 0), harness.Room.Figures);
        await harness.AnswerAsync(ann, accepts: true);
        await harness.AnswerAsync(bob, accepts: true);
        await harness.PassAsync(1);

        Assert.Equal((1, 0, 3 * Game.Second, 1), Of(harness.Room.Figures));
        Assert.Equal(4.6, harness.Room.Figures.TypicalWait.TotalSeconds, 0.1); // 5, and an eighth of the way to 2
        Assert.Same(harness.Room, Assert.Single(harness.Server.Rooms.All.OfType<IMatchQueue>()));
        await harness.Room.LeaveAsync(harness.Server.Sessions.All.First(session => session != ann.Session && session != bob.Session));
        await harness.PassAsync();
        Assert.Equal((0, 0, TimeSpan.Zero, 1), Of(harness.Room.Figures));
        Assert.Equal(
            [("playchat.matchmaking.ended cancelled", 1), ("playchat.matchmaking.longest_wait", 0), ("playchat.matchmaking.matches", 1),
                ("playchat.matchmaking.players", 0), ("playchat.matchmaking.wait", 7)],
            counted.OrderBy(static entry => entry.Key, StringComparer.Ordinal)
                .Select(static entry => (entry.Key, Math.Round(entry.Value, 6))));
        Assert.Empty(DocumentedMeter.FindMissing(MatchmakingMeter.Name));

        static (int, int, TimeSpan, long) Of(MatchQueueFigures figures) =>
            (figures.Players, figures.Offered, figures.LongestWait, figures.Matches);
    }

    [Fact]
    public void Rules_that_are_out_of_range_are_refused()
    {
        Assert.All(
            (MatchRules<Find>[])
            [
                new() { TeamSizes = [] },
                new() { TeamSizes = [1, 0] },
                new() { TeamSizes = [1000, 1] },
                new() { TeamSizes = [int.MaxValue, int.MaxValue] },
                new() { TeamSizes = [1], ExpireAfter = TimeSpan.Zero },
                new() { TeamSizes = [1], AcceptWithin = TimeSpan.FromSeconds(-1) },
                new() { TeamSizes = [1], PassInterval = TimeSpan.Zero },
                new() { TeamSizes = [1], StatusInterval = TimeSpan.Zero },
            ],
            static rules => Assert.NotNull(rules.FindProblem()));
        Assert.Null(s_accepted.FindProblem());
    }

    private static MeterListener Listen(string queue, Dictionary<string, double> counted)
    {
        var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, self) =>
            {
                if (instrument.Meter.Name == MatchmakingMeter.Name)
                {
                    self.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.Start();
        return listener;

        void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            if (tags[0].Value is string name && name == queue)
            {
                string key = tags.Length > 1 ? $"{instrument.Name} {tags[1].Value}" : instrument.Name;
                counted[key] = counted.GetValueOrDefault(key) + value;
            }
        }
    }
}
