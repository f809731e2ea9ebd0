namespace PlayChat.Chat.Configuration;

/// <summary>When a message is heard, and what a killed server may lose of what was heard.</summary>
internal enum Durability
{
    /// <summary>At once; the store has it within ChatLog:FlushInterval. A killed server loses at most what was waiting.</summary>
    Async = 0,

    /// <summary>When the store has committed it. A killed server loses no delivered message.</summary>
    Stored = 1,
}
