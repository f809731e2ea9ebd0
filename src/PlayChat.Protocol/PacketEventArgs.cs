namespace PlayChat.Protocol;

/// <summary>A message of the server's.</summary>
/// <typeparam name="TMessage">The kind of message.</typeparam>
/// <param name="message">The received message.</param>
/// <param name="missedBefore">Messages missing before it.</param>
public sealed class PacketEventArgs<TMessage>(TMessage message, long missedBefore = 0) : EventArgs
    where TMessage : class
{
    /// <summary>The message. You may keep and change it; nothing else refers to it.</summary>
    public TMessage Message { get; } = message;

    /// <summary>
    /// The number of messages missing before this one, of a kind that has a sequence; see <see cref="ChatReceivedEventArgs.MissedBefore"/>.
    /// </summary>
    public long MissedBefore { get; } = missedBefore;
}
