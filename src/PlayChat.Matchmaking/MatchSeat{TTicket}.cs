using System.Security.Cryptography;

namespace PlayChat.Matchmaking;

/// <summary>A seat in a match. It stays the same object when its player leaves and comes back, so keep the player's state by it. Use it
/// only in the turn of the match's room, once it was added there.</summary>
/// <typeparam name="TTicket">The type of the tickets.</typeparam>
public sealed class MatchSeat<TTicket>
{
    internal const int TokenBytes = 16;

    /// <summary>Makes a seat, for a match that no queue has made, or for a player that joins a running match.</summary>
    /// <param name="team">The number of the team, from 0.</param>
    /// <param name="ticket">The player's ticket.</param>
    /// <param name="session">The player's session; <see langword="null"/> for a vacant seat.</param>
    public MatchSeat(int team, TTicket? ticket, Session? session)
        : this("", "", team, ticket, session, session is null, RandomNumberGenerator.GetBytes(TokenBytes))
    {
    }

    internal MatchSeat(string match, string node, int team, TTicket? ticket, Session? session, bool isVacant, ReadOnlyMemory<byte> token)
    {
        Match = match;
        Node = node;
        Team = team;
        Ticket = ticket;
        Session = session;
        IsVacant = isVacant;
        Token = token;
    }

    /// <summary>A name for the match's room, which no other match of the cluster has; empty in a queue that no cluster shares.</summary>
    public string Match { get; }

    /// <summary>The node that is to run the match's room (<see cref="RoomSettings.Node"/>); empty for any.</summary>
    public string Node { get; }

    /// <summary>The number of the team, from 0.</summary>
    public int Team { get; }

    /// <summary>Whether the seat had no player from the beginning.</summary>
    public bool IsVacant { get; }

    /// <summary>The ticket with which the player has waited.</summary>
    public TTicket? Ticket { get; }

    /// <summary>The session that the seat was made for; <see langword="null"/> for a vacant seat, and for the seat of a player on another
    /// node of the cluster.</summary>
    public Session? Session { get; }

    /// <summary>
    /// 16 random bytes, with which the player comes back to the seat, on any connection. They are a secret of the player: send them to it
    /// alone, over TLS. They are valid until the seat is given up.
    /// </summary>
    public ReadOnlyMemory<byte> Token { get; }

    /// <summary>The player while it is a member of the room, away or not; <see langword="null"/> while the seat waits for it.</summary>
    public RoomMember? Member { get; internal set; }

    /// <summary>Whether the seat waits for its player no more.</summary>
    public bool IsGivenUp { get; internal set; }

    /// <summary>Counts what has ended a wait for the player, so that an earlier wait does not give the seat up.</summary>
    internal int Changes { get; set; }
}
