namespace PlayChat.Chat.Rooms;

/// <summary>Finds where messages may be missing in a page of history because a server was killed.</summary>
/// <remarks>
/// After a kill a room continues <see cref="RoomArchive.SkippedSequences"/> above what the store has. Joins, which the history does not
/// have, leave out single sequences only.
/// </remarks>
internal static class HistoryGaps
{
    // Half, since a client may ask for what follows a message that it has seen and that was lost. PROTOCOL.md promises clients as much.
    private const long LeastStep = RoomArchive.SkippedSequences / 2;

    /// <param name="sequences">Those of the page's messages, between the two that bound it; rising.</param>
    public static IEnumerable<HistoryGap> Find(IEnumerable<long> sequences)
    {
        long? previous = null;
        foreach (long sequence in sequences)
        {
            if (previous is { } after && sequence - after > LeastStep)
            {
                yield return new HistoryGap { AfterSequence = after, BeforeSequence = sequence };
            }

            previous = sequence;
        }
    }
}
