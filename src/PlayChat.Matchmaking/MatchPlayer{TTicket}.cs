namespace PlayChat.Matchmaking;

/// <summary>A player in a queue. Use it only in the queue's turn.</summary>
/// <typeparam name="TTicket">The type of the tickets.</typeparam>
public sealed class MatchPlayer<TTicket> : RoomMember
{
    private bool _isAway; // as its ticket counts it

    internal MatchPlayer(Session session, TTicket ticket, double rating, MatchParty? party)
        : base(session)
    {
        Ticket = ticket;
        Rating = rating;
        Party = party;
    }

    /// <summary>The ticket with which the player has entered the queue.</summary>
    public TTicket Ticket { get; }

    internal double Rating { get; }

    internal MatchParty? Party { get; }

    /// <summary>The ticket that the player shares with its party. Set when the player has entered.</summary>
    internal WaitingTicket<TTicket>? Waiting { get; set; }

    internal bool HasAccepted { get; set; }

    /// <summary>Notes that the player is away, or has returned. A member of a shared room may return without having been away.</summary>
    internal void SetAway(bool isAway)
    {
        if (_isAway != isAway)
        {
            _isAway = isAway;
            Waiting?.SetAway(isAway);
        }
    }

    /// <summary>Why the player leaves the queue; <see langword="null"/> while it stays, and for a player that leaves by itself.</summary>
    internal MatchState? End { get; set; }
}
