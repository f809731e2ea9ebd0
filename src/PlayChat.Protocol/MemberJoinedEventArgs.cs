namespace PlayChat.Protocol;

/// <summary>Another player has joined a room of the client's.</summary>
/// <param name="message">The received message.</param>
/// <param name="missedBefore">Messages missing before it.</param>
public sealed class MemberJoinedEventArgs(SJoinRoomNtf message, long missedBefore) : EventArgs
{
    /// <summary>The message: room, member, sequence. You may keep and change it; nothing else refers to it.</summary>
    public SJoinRoomNtf Message { get; } = message;

    /// <summary>The number of messages missing before this one; see <see cref="ChatReceivedEventArgs.MissedBefore"/>.</summary>
    public long MissedBefore { get; } = missedBefore;

    /// <summary>
    /// Whether the player was a member before the server restarted, and is back within two minutes of the client's own return by the clock
    /// of <see cref="ChatClientOptions.TimeProvider"/>: nothing that a person needs to be told. A player that comes later joins.
    /// </summary>
    public bool IsReturn { get; init; }
}
