using PlayChat.Matchmaking;

namespace PlayChat.MicroBenchmarks;

/// <summary>One pass over a queue of 100,000 tickets that find no match, so each of them searches in every pass.</summary>
[MemoryDiagnoser]
public class MatchmakingBenchmarks
{
    private const int Tickets = 100_000;

    private readonly List<MatchOffer<double>> _found = [];
    private readonly List<WaitingTicket<double>> _expired = [];
    private TicketSearch<double> _search = null!;

    public enum Queue
    {
        /// <summary>Duels by rating; the nearest opponent is just out of reach.</summary>
        Duels,

        /// <summary>Teams of five by rating; nine players are in reach, one too few.</summary>
        Teams,

        /// <summary>Parties of three for teams of five, which no two of them fill: the search for combinations ends at its bound.</summary>
        Parties,

        /// <summary>Duels in which the code of the game refuses every opponent.</summary>
        Refused,
    }

    [Params(Queue.Duels, Queue.Teams, Queue.Parties, Queue.Refused)]
    public Queue Kind { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        int team = Kind is Queue.Teams or Queue.Parties ? 5 : 1;
        int size = Kind == Queue.Parties ? 3 : 1;
        _search = new TicketSearch<double>(
            new MatchRules<double>
            {
                TeamSizes = [team, team],
                Rating = static rating => rating,
                Window = Kind switch
                {
                    Queue.Duels => static _ => 0.9,
                    Queue.Teams => static _ => 4.9,
                    _ => static _ => double.PositiveInfinity,
                },
                Fits = Kind == Queue.Refused ? static (_, _) => false : null,
            },
            TimeProvider.System);
        var bench = new BenchConnection(FrameFormat.LengthPrefixed(), static (Connection _, in Frame _) => default);
        Session session = new SessionRegistry(bench.Metrics).Open(bench.Open().Connection);
        for (int i = 0; i < Tickets; i++)
        {
            double rating = i * 7919L % Tickets; // each once, in no order
            var ticket = new WaitingTicket<double>(null, size, TimeProvider.System.GetTimestamp());
            for (int player = 0; player < size; player++)
            {
                ticket.Add(new MatchPlayer<double>(session, rating, rating, null));
            }

            _search.Add(ticket);
        }
    }

    [Benchmark]
    public int Pass()
    {
        _search.Run(_found, _expired);
        return _found.Count;
    }
}
