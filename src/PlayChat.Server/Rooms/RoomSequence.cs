namespace PlayChat.Server.Rooms;

/// <summary>The order of a room: the one place that gives sequences. For the room's turn alone.</summary>
internal sealed class RoomSequence
{
    /// <summary>That of the room's newest message; 0 before the first.</summary>
    public long Latest { get; private set; }

    /// <summary>Gives the next message its place.</summary>
    /// <returns>Its sequence, and that of the message before it.</returns>
    public (long Sequence, long Previous) Next()
    {
        long previous = Latest;
        Latest = previous + 1;
        return (Latest, previous);
    }
}
