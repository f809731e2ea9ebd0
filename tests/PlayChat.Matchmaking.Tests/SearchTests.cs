using FsCheck;
using FsCheck.Fluent;
using PlayChat.TestUtilities;

namespace PlayChat.Matchmaking.Tests;

/// <summary>The search for matches, without a room.</summary>
public sealed class SearchTests : IAsyncLifetime
{
    private static readonly int[][] s_teams = [[1, 1], [2, 2], [3, 3], [1, 3], [5], [1], [2, 3, 4]];

    private readonly ManualTimeProvider _time = new();
    private RoomHarness<GameQueue> _harness = null!;
    private HarnessClient _client = null!;

    public async ValueTask InitializeAsync()
    {
        _harness = await Game.StartAsync(new MatchRules<Find> { TeamSizes = [1] });
        _client = await _harness.ConnectAsync();
        _time.Advance(TimeSpan.FromHours(1));
    }

    public ValueTask DisposeAsync() => _harness.DisposeAsync();

    [Fact]
    public void No_rule_is_violated_for_any_tickets()
    {
        Gen<(int Size, int Rating, int Waited)[]> tickets = (
            from size in Gen.Frequency((3, Gen.Constant(1)), (1, Gen.Choose(1, 3)))
            from rating in Gen.Choose(0, 400)
            from waited in Gen.Choose(0, 60)
            select (size, rating, waited)).ArrayOf();
        Gen<int> rules = Gen.Choose(0, s_teams.Length - 1);
        Prop.ForAll(tickets.ToArbitrary(), rules.ToArbitrary(), Verify).Check(Config.QuickThrowOnFailure.WithMaxTest(1000).WithEndSize(60));
    }

    [Fact]
    public void Parties_are_combined_so_that_they_fill_the_teams()
    {
        (MatchOffer<Find>[] offers, _) = Search([5, 5], (3, 0, 60), (4, 1, 0), (2, 2, 0), (2, 3, 0), (3, 4, 0));

        Assert.Equal([[3, 2], [2, 3]], TeamsOf(Assert.Single(offers)));
    }

    [Fact]
    public void The_oldest_ticket_may_play_in_any_team()
    {
        (MatchOffer<Find>[] offers, _) = Search([1, 4], (1, 0, 60), (4, 1, 0));

        Assert.Equal([[1], [4]], TeamsOf(Assert.Single(offers)));
    }

    [Fact]
    public void Players_alone_are_spread_over_the_teams_by_rating()
    {
        (MatchOffer<Find>[] offers, _) = Search([2, 2], (1, 50, 60), (1, 49, 0), (1, 48, 0), (1, 47, 0));

        Assert.Equal(
            [50 + 47, 49 + 48],
            Assert.Single(offers).Tickets.GroupBy(static place => place.Team).OrderBy(static team => team.Key)
                .Select(static team => team.Sum(static place => place.Ticket.Rating)));
    }

    [Theory]
    [InlineData(1, 1, 0)] // no two fit
    [InlineData(5, 5, 1000)] // too few fit
    public void A_pass_over_100_000_tickets_allocates_nothing_for_a_ticket_that_waits(int team, int other, double window)
    {
        const int Tickets = 100_000;
        var search = new TicketSearch<Find>(
            new MatchRules<Find> { TeamSizes = [team, other], Rating = static find => find.Rating, Window = _ => window }, _time);
        for (int i = 0; i < Tickets; i++)
        {
            search.Add(TicketOf(1, (i * 7919L % Tickets) * 1000, 0));
        }

        List<MatchOffer<Find>> found = [];
        List<WaitingTicket<Find>> expired = [];
        search.Run(found, expired);

        Assert.Equal(0, AllocatedBytes.Least(() => search.Run(found, expired)));
        Assert.Empty(found);
        Assert.Equal(Tickets, search.Tickets.Count);
    }

    [Fact]
    public void Tickets_that_do_not_fit_are_compared_again_only_when_their_candidates_change()
    {
        int asked = 0;
        var search = new TicketSearch<Find>(
            new MatchRules<Find>
            {
                TeamSizes = [1, 1],
                Rating = static find => find.Rating,
                Fits = (one, other) =>
                {
                    asked++;
                    return one.Rating.Equals(other.Rating);
                },
            },
            _time);
        List<MatchOffer<Find>> found = [];
        for (int rating = 0; rating < 10; rating++)
        {
            search.Add(TicketOf(1, rating, 0));
        }

        search.Run(found, []);
        int first = asked;
        search.Run(found, []);

        Assert.Equal((90, 90, 0), (first, asked, found.Count));
        search.Add(TicketOf(1, 3, 0));
        search.Run(found, []);
        Assert.Equal([3.0, 3.0], Assert.Single(found).Tickets.Select(static place => place.Ticket.Rating));
    }

    private static double WindowOf(TimeSpan waited) => waited.TotalSeconds * 2;

    private static List<int>[] TeamsOf(MatchOffer<Find> offer) => [.. offer.Tickets.GroupBy(static place => place.Team)
        .OrderBy(static team => team.Key).Select(static team => team.Select(static place => place.Ticket.Size).ToList())];

    private void Verify((int Size, int Rating, int Waited)[] given, int rules)
    {
        int[] teams = s_teams[rules];
        (int, int, int)[] tickets = [.. given.Select(ticket => ticket with { Size = Math.Min(ticket.Size, teams.Max()) })];

        (MatchOffer<Find>[] offers, WaitingTicket<Find>[] all) = Search(teams, tickets);

        WaitingTicket<Find>[] taken = [.. offers.SelectMany(static offer => offer.Tickets.Select(static place => place.Ticket))];
        Assert.Equal(taken.Length, taken.Distinct().Count());
        Assert.All(all, ticket => Assert.Equal(ticket.Offer is not null, taken.Contains(ticket)));
        Assert.All(offers, offer =>
        {
            Assert.Equal(teams, teams.Select((_, team) => offer.Tickets.Where(place => place.Team == team)
                .Sum(static place => place.Ticket.Size)));
            Assert.Contains(offer.Tickets, chooser => offer.Tickets.All(place => Reaches(chooser.Ticket, place.Ticket)));
        });
        if (teams is [1, 1])
        {
            WaitingTicket<Find>[] left = [.. all.Where(static ticket => ticket.Offer is null)];
            Assert.DoesNotContain(left, ticket => left.Any(other => other != ticket && Reaches(ticket, other)));
        }
    }

    private bool Reaches(WaitingTicket<Find> chooser, WaitingTicket<Find> other) =>
        Math.Abs(chooser.Rating - other.Rating) <= WindowOf(_time.GetElapsedTime(chooser.Since));

    /// <summary>Makes one pass.</summary>
    private (MatchOffer<Find>[] Offers, WaitingTicket<Find>[] All) Search(
        int[] teams, params (int Size, int Rating, int Waited)[] tickets)
    {
        var search = new TicketSearch<Find>(
            new MatchRules<Find> { TeamSizes = teams, Rating = static find => find.Rating, Window = WindowOf }, _time);
        WaitingTicket<Find>[] all = [.. tickets.OrderByDescending(static ticket => ticket.Waited)
            .Select(ticket => TicketOf(ticket.Size, ticket.Rating, ticket.Waited))];
        Array.ForEach(all, search.Add);
        List<MatchOffer<Find>> found = [];
        search.Run(found, []);
        return ([.. found], all);
    }

    private WaitingTicket<Find> TicketOf(int size, double rating, int waitedSeconds)
    {
        var ticket = new WaitingTicket<Find>(null, size, _time.GetTimestamp() - (waitedSeconds * _time.TimestampFrequency));
        for (int i = 0; i < size; i++)
        {
            ticket.Add(new MatchPlayer<Find>(_client.Session, new Find("", rating), rating, null));
        }

        return ticket;
    }
}
