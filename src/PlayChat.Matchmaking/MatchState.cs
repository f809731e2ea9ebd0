namespace PlayChat.Matchmaking;

/// <summary>Says what has become of a player in a queue. From <see cref="Cancelled"/> on it is in the queue no more.</summary>
public enum MatchState
{
    /// <summary>The player waits. It also gets this after an offer that failed because of another player.</summary>
    Waiting = 0,

    /// <summary>There is a match, and each of its players has to accept it: <see cref="MatchStatus.AnswerWithin"/>.</summary>
    Offered = 1,

    /// <summary>The player has left the queue, or the queue has ended.</summary>
    Cancelled = 2,

    /// <summary>The player found no match before its deadline (<see cref="MatchRules{TTicket}.ExpireAfter"/>).</summary>
    Expired = 3,

    /// <summary>The player has declined an offer, or has not answered it in time.</summary>
    Declined = 4,

    /// <summary>Another player of its party has left the queue or has declined, so the party is out.</summary>
    PartyLeft = 5,

    /// <summary>The room of the match was not created: <see cref="MatchQueue{TTicket}.OnMatch"/> threw an exception.</summary>
    Failed = 6,

    /// <summary>The player was moved to a match, whose room tells it everything. <see cref="MatchQueue{TTicket}.OnStatus"/> is not
    /// called.</summary>
    Matched = 7,
}
