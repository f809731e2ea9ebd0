namespace PlayChat.Chat.Configuration;

/// <summary>How bytes are moved.</summary>
internal enum ServerTransport
{
    /// <summary>By the runtime's sockets.</summary>
    Sockets,

    /// <summary>By epoll and system calls of our own.</summary>
    Linux,
}
