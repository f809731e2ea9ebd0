namespace PlayChat.Protocol;

/// <summary>A player said something to this client's player alone.</summary>
public sealed class DirectChatReceivedEventArgs : EventArgs
{
    internal DirectChatReceivedEventArgs(SDirectChatNtf message)
    {
        PlayerId = message.PlayerId;
        PlayerName = message.PlayerName;
        Text = message.Text;
        SentAtUnixMs = message.SentAtUnixMs;
        Number = message.Number;
    }

    /// <summary>The id of the sender: the player to answer with
    /// <see cref="ChatClient.SendDirectAsync(long, string, CancellationToken)"/>.</summary>
    public long PlayerId { get; }

    /// <summary>The sender's name.</summary>
    public string PlayerName { get; }

    /// <summary>What the player said.</summary>
    public string Text { get; }

    /// <summary>
    /// When the server received it, by its clock: milliseconds since 1970-01-01T00:00:00Z, as <see cref="SRoomChatNtf.SentAtUnixMs"/>.
    /// </summary>
    public long SentAtUnixMs { get; }

    /// <summary>Its number in the conversation; 0 where the server does not store direct messages. After a step of more than 1, messages
    /// are missing: <see cref="ChatClient.ReadDirectAsync"/> reads them.</summary>
    public long Number { get; }
}
