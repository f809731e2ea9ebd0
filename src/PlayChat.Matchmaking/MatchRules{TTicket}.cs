namespace PlayChat.Matchmaking;

/// <summary>The rules of a queue. Only the sizes of the teams are required: such a queue serves tickets in the order of their
/// arrival.</summary>
/// <remarks>The queue calls the functions in its turn. They must be quick, and must give the same result for the same arguments.</remarks>
/// <typeparam name="TTicket">The type of the tickets.</typeparam>
public sealed class MatchRules<TTicket>
{
    /// <summary>The number of players in each team: 1 to 1,000 in all. <c>[1, 1]</c> is a duel, <c>[20]</c> a match of 20 players without
    /// teams.</summary>
    public required IReadOnlyList<int> TeamSizes { get; init; }

    /// <summary>
    /// Returns the number by which tickets are compared, such as a rating. It is read once, when the player enters the queue. The rating of
    /// a party is the average of its players. Default: all tickets are equal.
    /// </summary>
    public Func<TTicket, double>? Rating { get; init; }

    /// <summary>
    /// Returns by how much the ratings of the others may differ from that of a ticket, by the time that the ticket has waited. Let it grow,
    /// so that waiting helps. Default: by any amount.
    /// </summary>
    /// <remarks>The oldest ticket chooses first, and its window alone counts for its match.</remarks>
    public Func<TimeSpan, double>? Window { get; init; }

    /// <summary>
    /// Returns whether two players may be in one match, for what a rating does not express. It is asked for players of different tickets,
    /// only where the ratings fit, in either order, and not again while the tickets nearest in rating stay the same. Default: they may.
    /// </summary>
    public Func<TTicket, TTicket, bool>? Fits { get; init; }

    /// <summary>Returns the party of a player; <see langword="null"/> for a player without one. Default: no player has one.</summary>
    public Func<TTicket, MatchParty?>? Party { get; init; }

    /// <summary>
    /// The time after which a ticket that has found no match leaves the queue as <see cref="MatchState.Expired"/>, unless
    /// <see cref="MayStartShort"/> lets it play. Default <see cref="Timeout.InfiniteTimeSpan"/>.
    /// </summary>
    public TimeSpan ExpireAfter { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Returns whether a match of a ticket that has expired may begin with so many players. The seats that remain are vacant, for
    /// example for bots. Default: no match begins short.
    /// </summary>
    public Func<int, bool>? MayStartShort { get; init; }

    /// <summary>The time in which each player has to accept its match. Default zero: matches begin without being accepted.</summary>
    public TimeSpan AcceptWithin { get; init; }

    /// <summary>The time between two searches for matches while players wait, 10 ms to 1 minute. Default 1 second.</summary>
    public TimeSpan PassInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// The time after which a player that waits is told again (<see cref="MatchQueue{TTicket}.OnStatus"/>), to within
    /// <see cref="PassInterval"/>. Default 10 seconds; <see cref="Timeout.InfiniteTimeSpan"/> turns it off.
    /// </summary>
    public TimeSpan StatusInterval { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Chooses the node that is to run a match, in a queue that the nodes of a cluster share, from at least one;
    /// <see cref="RoomNode.Sessions"/> counts the players of the match. Default: the one with the fewest rooms, and of several the one
    /// with most players.
    /// </summary>
    public Func<IReadOnlyList<RoomNode>, RoomNode> Placement { get; init; } =
        static nodes => nodes.MinBy(static node => (node.Rooms, -node.Sessions));

    internal string? FindProblem() =>
        TeamSizes.Count == 0 || TeamSizes.Any(static size => size < 1) || TeamSizes.Sum(static size => (long)size) > 1000
            ? "Each team has at least 1 player, and a match 1 to 1,000."
            : ExpireAfter <= TimeSpan.Zero && ExpireAfter != Timeout.InfiniteTimeSpan ? "ExpireAfter is positive or infinite."
            : StatusInterval <= TimeSpan.Zero && StatusInterval != Timeout.InfiniteTimeSpan ? "StatusInterval is positive or infinite."
            : AcceptWithin < TimeSpan.Zero || AcceptWithin > TimeSpan.FromDays(1) ? "AcceptWithin is 0 to 1 day."
            : PassInterval < TimeSpan.FromMilliseconds(10) || PassInterval > TimeSpan.FromMinutes(1) ? "PassInterval is 10 ms to 1 minute."
            : null;
}
