namespace PlayChat.Chat.Configuration;

/// <summary>What the server does with what it receives.</summary>
internal enum ServerMode
{
    /// <summary>The chat protocol of proto/PROTOCOL.md.</summary>
    Chat = 0,

    /// <summary>4-byte big-endian length and body, sent back as they came.</summary>
    Echo = 1,

    /// <summary>length(2) + sender(2) + payload, passed on to every connection of the sender's room.</summary>
    Broadcast = 2,

    /// <summary>The same with one room: every frame goes to every connection.</summary>
    Classroom = 3,
}
