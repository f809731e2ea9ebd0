namespace PlayChat.Storage;

/// <summary>Whether a direct message is stored.</summary>
public enum DirectStatus
{
    /// <summary>It is.</summary>
    Stored = 0,

    /// <summary>It was already, under its <see cref="DirectMessage.ClientMessageId"/>.</summary>
    Duplicate = 1,

    /// <summary>No: the receiver is no account.</summary>
    Unknown = 2,

    /// <summary>No: the receiver has blocked the sender.</summary>
    Refused = 3,

    /// <summary>No: the sender has blocked the receiver.</summary>
    Blocked = 4,
}
