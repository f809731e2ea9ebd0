using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Matchmaking;

/// <summary>A player in a queue. Use it only in the queue's turn.</summary>
/// <typeparam name="TTicket">The type of the tickets.</typeparam>
public sealed class MatchPlayer<TTicket> : RoomMember
{
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

    /// <summary>Why the player leaves the queue; <see langword="null"/> while it stays, and for a player that leaves by itself.</summary>
    internal MatchState? End { get; set; }
}
