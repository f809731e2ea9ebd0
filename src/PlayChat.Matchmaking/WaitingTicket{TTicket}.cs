namespace PlayChat.Matchmaking;

/// <summary>A player or a party in a queue.</summary>
/// <remarks>Invariant: <c>_present</c> is the number of <see cref="Players"/> that are not away. A ticket is in at most one
/// offer.</remarks>
/// <param name="party">The party's key; <see langword="null"/> for a player alone.</param>
/// <param name="size">The number of players that belong to it.</param>
/// <param name="since">When the first of them entered, in ticks of the server's clock.</param>
internal sealed class WaitingTicket<TTicket>(string? party, int size, long since)
{
    private int _present;
    private double _ratings;

    internal string? Party => party;

    internal int Size => size;

    internal long Since => since;

    internal List<MatchPlayer<TTicket>> Players { get; } = new(size);

    /// <summary>The average of the players that have entered.</summary>
    internal double Rating => _ratings / Players.Count;

    /// <summary>What the ticket was offered, or is about to be.</summary>
    internal MatchOffer<TTicket>? Offer { get; set; }

    /// <summary>Its number in the search, which no other ticket of the queue has.</summary>
    internal int Number { get; set; }

    /// <summary>The hash of the candidates among which its latest search was.</summary>
    internal ulong LastCandidates { get; set; }

    /// <summary>When its players were last told that they wait, in ticks of the server's clock.</summary>
    internal long Told { get; set; }

    /// <summary>Whether it has left the queue.</summary>
    internal bool HasEnded { get; set; }

    /// <summary>Whether it takes part in a search. A party that is incomplete, or of which a player is away, only keeps its
    /// place.</summary>
    internal bool IsReady => _present == size && Offer is null && !HasEnded;

    internal void Add(MatchPlayer<TTicket> player)
    {
        Players.Add(player);
        player.Waiting = this;
        _ratings += player.Rating;
        _present++;
    }

    internal void SetAway(bool isAway) => _present += isAway ? -1 : 1;

    /// <summary>Whether each player may be in one match with each player of another ticket.</summary>
    internal bool Fits(WaitingTicket<TTicket> other, Func<TTicket, TTicket, bool> fits)
    {
        foreach (MatchPlayer<TTicket> player in Players)
        {
            foreach (MatchPlayer<TTicket> opponent in other.Players)
            {
                if (!fits(player.Ticket, opponent.Ticket))
                {
                    return false;
                }
            }
        }

        return true;
    }
}
