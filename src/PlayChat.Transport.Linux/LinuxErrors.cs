using System.Net.Sockets;
using PlayChat.Core;

namespace PlayChat.Transport.Linux;

/// <summary>Linux's error numbers, and their names as the runtime's sockets have them.</summary>
/// <remarks><see cref="TransportConnection.ToCloseReason"/> turns these into close reasons, as for every other transport.</remarks>
internal static class LinuxErrors
{
    internal const int Interrupted = 4; // EINTR
    internal const int Disposed = 9; // EBADF
    internal const int WouldBlock = 11; // EAGAIN
    internal const int NoMemory = 12; // ENOMEM
    internal const int InProgress = 115; // EINPROGRESS

    internal static SocketException ToException(int error) => new((int)ToSocketError(error));

    internal static CloseReason ToCloseReason(int error) => TransportConnection.ToCloseReason(ToSocketError(error));

    internal static SocketError ToSocketError(int error) => error switch
    {
        0 => SocketError.Success,
        1 or 13 => SocketError.AccessDenied, // EPERM, EACCES
        Interrupted => SocketError.Interrupted,
        Disposed or 88 => SocketError.NotSocket, // ENOTSOCK
        WouldBlock => SocketError.WouldBlock,
        NoMemory or 105 => SocketError.NoBufferSpaceAvailable, // ENOBUFS
        22 => SocketError.InvalidArgument, // EINVAL
        23 or 24 => SocketError.TooManyOpenSockets, // ENFILE, EMFILE
        32 => SocketError.Shutdown, // EPIPE
        97 => SocketError.AddressFamilyNotSupported, // EAFNOSUPPORT
        98 => SocketError.AddressAlreadyInUse, // EADDRINUSE
        99 => SocketError.AddressNotAvailable, // EADDRNOTAVAIL
        100 => SocketError.NetworkDown, // ENETDOWN
        101 => SocketError.NetworkUnreachable, // ENETUNREACH
        102 => SocketError.NetworkReset, // ENETRESET
        103 => SocketError.ConnectionAborted, // ECONNABORTED
        104 => SocketError.ConnectionReset, // ECONNRESET
        107 => SocketError.NotConnected, // ENOTCONN
        110 => SocketError.TimedOut, // ETIMEDOUT
        111 => SocketError.ConnectionRefused, // ECONNREFUSED
        112 => SocketError.HostDown, // EHOSTDOWN
        113 => SocketError.HostUnreachable, // EHOSTUNREACH
        InProgress => SocketError.InProgress,
        _ => SocketError.SocketError,
    };
}
