namespace PlayChat.Core.Connections;

/// <summary>What happens to a frame for a peer whose outbound queue is full.</summary>
public enum SlowConsumerPolicy
{
    /// <summary>
    /// The connection is aborted as <see cref="CloseReason.SlowConsumer"/>. The peer can come back and knows that it missed something.
    /// </summary>
    Disconnect = 0,

    /// <summary>The frame is dropped and counted; the peer stays connected with a gap.</summary>
    DropNewest = 1,

    /// <summary>
    /// <see cref="Connection.SendAsync"/> waits until the frame fits into the queue. A plain send or a broadcast never waits; for these the
    /// policy acts as <see cref="Disconnect"/>.
    /// </summary>
    Wait = 2,
}
