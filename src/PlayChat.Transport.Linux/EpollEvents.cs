namespace PlayChat.Transport.Linux;

/// <summary>The events that epoll reports, and how to report them.</summary>
[Flags]
internal enum EpollEvents : uint
{
    None = 0,
    Readable = 0x1, // EPOLLIN
    Writable = 0x4, // EPOLLOUT
    Error = 0x8, // EPOLLERR
    HangUp = 0x10, // EPOLLHUP: both directions have ended
    PeerHangUp = 0x2000, // EPOLLRDHUP: the peer has sent FIN
    EdgeTriggered = 1u << 31, // EPOLLET
    Ended = Error | HangUp | PeerHangUp, // the link or one of its directions has ended
}
