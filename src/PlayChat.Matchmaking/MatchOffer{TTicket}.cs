namespace PlayChat.Matchmaking;

/// <summary>A match that a search has found, until it begins or fails.</summary>
/// <param name="tickets">The tickets and the number of their team.</param>
internal sealed class MatchOffer<TTicket>((WaitingTicket<TTicket> Ticket, int Team)[] tickets)
{
    internal (WaitingTicket<TTicket> Ticket, int Team)[] Tickets => tickets;

    internal IEnumerable<MatchPlayer<TTicket>> Players => tickets.SelectMany(static place => place.Ticket.Players);

    /// <summary>Ends the offer; <see langword="null"/> until the players were told of it.</summary>
    internal RoomTimer? Timer { get; set; }

    /// <summary>When the players must have answered, in ticks of the server's clock.</summary>
    internal long Until { get; set; }

    /// <summary>Whether the match has begun or the offer has failed.</summary>
    internal bool IsOver { get; set; }

    /// <summary>Makes the seats of all teams, in their order; those that are left over are vacant.</summary>
    internal MatchSeat<TTicket>[] MakeSeats(IReadOnlyList<int> teamSizes) => [.. teamSizes.SelectMany((size, team) =>
        tickets.Where(place => place.Team == team)
            .SelectMany(static place => place.Ticket.Players)
            .Select(player => new MatchSeat<TTicket>(team, player.Ticket, player.Session))
            .Concat(Enumerable.Range(0, size).Select(_ => new MatchSeat<TTicket>(team, default, null)))
            .Take(size))];
}
