namespace PlayChat.Server.Rooms;

/// <summary>The order of a room: the one place that gives sequences. For the room's turn alone, but for <see cref="Latest"/>.</summary>
/// <param name="latest">How far the room had come in an earlier run; 0 for a new one.</param>
/// <param name="skip">How many sequences may have been given after that, of which nothing is known: none of them is given again.</param>
internal sealed class RoomSequence(long latest = 0, long skip = 0)
{
    private long _latest = latest;
    private long _skip = skip;

    /// <summary>That of the room's newest message; 0 before the first. May be read from anywhere.</summary>
    public long Latest => Interlocked.Read(ref _latest);

    /// <summary>Notes the sequence of an event that got it elsewhere. A sequence that is not newer changes nothing.</summary>
    public void Advance(long sequence)
    {
        // With Durability Stored an event is delivered, and noted here, after later ones have got their sequences.
        if (sequence > _latest)
        {
            Interlocked.Exchange(ref _latest, sequence);
        }
    }

    /// <summary>Gives the next message its place.</summary>
    /// <returns>Its sequence, and that of the message before it.</returns>
    public (long Sequence, long Previous) Next()
    {
        long previous = _latest;
        Interlocked.Exchange(ref _latest, previous + _skip + 1);
        _skip = 0;
        return (_latest, previous);
    }
}
