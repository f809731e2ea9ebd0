namespace PlayChat.Protocol;

/// <summary>A player or the server said something in a room.</summary>
/// <param name="message">The message as it came.</param>
/// <param name="missedBefore">Messages missing before it.</param>
public sealed class ChatReceivedEventArgs(SRoomChatNtf message, long missedBefore) : EventArgs
{
    /// <summary>The message: room, sequence, sender, text, time. The receiver's own; nothing else holds it.</summary>
    public SRoomChatNtf Message { get; } = message;

    /// <summary>
    /// Messages of the room between the one before and this one that never came; 0 in the usual case. An upper bound where sequences are
    /// not dense.
    /// </summary>
    public long MissedBefore { get; } = missedBefore;
}
