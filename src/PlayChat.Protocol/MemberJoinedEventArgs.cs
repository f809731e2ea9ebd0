namespace PlayChat.Protocol;

/// <summary>Another player has joined a room of the client's.</summary>
/// <param name="message">The message as it came.</param>
/// <param name="missedBefore">Messages missing before it.</param>
public sealed class MemberJoinedEventArgs(SJoinRoomNtf message, long missedBefore) : EventArgs
{
    /// <summary>The message: room, member, sequence. The receiver's own; nothing else holds it.</summary>
    public SJoinRoomNtf Message { get; } = message;

    /// <summary>As <see cref="ChatReceivedEventArgs.MissedBefore"/>.</summary>
    public long MissedBefore { get; } = missedBefore;
}
