namespace PlayChat.Chat.Rooms;

/// <summary>Gives the events of a room their sequences. Only the room's turn uses it, except <see cref="Latest"/>.</summary>
/// <param name="latest">The last sequence of an earlier run; 0 for a new room.</param>
/// <param name="skip">The number of later sequences that the earlier run may have used. The room skips them.</param>
internal sealed class RoomSequence(long latest = 0, long skip = 0)
{
    private long _latest = latest;
    private long _skip = skip;

    /// <summary>The sequence of the newest message; 0 before the first. Safe to read from any thread.</summary>
    public long Latest => Interlocked.Read(ref _latest);

    /// <summary>Notes the sequence of an event that got it elsewhere. A sequence that is not newer changes nothing.</summary>
    public void Advance(long sequence)
    {
        // Never back: a sequence that was given is not given again.
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
