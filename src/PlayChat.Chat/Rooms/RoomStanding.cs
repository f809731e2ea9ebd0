namespace PlayChat.Chat.Rooms;

/// <summary>What a room can resend to a member that resumes.</summary>
/// <param name="LatestSequence">The sequence of its newest event.</param>
/// <param name="CanRecover">It has everything that was missed.</param>
/// <param name="MissedBytes">How much that is on the wire.</param>
/// <param name="MissedMessages">How many messages of players are in it.</param>
internal sealed record RoomStanding(long LatestSequence, bool CanRecover, int MissedBytes, int MissedMessages)
{
    /// <summary>The epoch of its sequences; 0 where they are dense.</summary>
    public uint Epoch { get; init; }

    /// <summary>Tells a client that resumes.</summary>
    /// <returns>How many bytes the room will resend.</returns>
    public int Tell(ResumedRoom result)
    {
        result.Member = true;
        result.LatestSequence = LatestSequence;
        result.Epoch = Epoch;
        result.Recovered = CanRecover;
        if (!CanRecover)
        {
            return 0;
        }

        result.MissedMessages = (uint)MissedMessages;
        return MissedBytes;
    }
}
