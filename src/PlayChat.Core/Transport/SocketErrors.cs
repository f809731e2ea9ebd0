using System.Net;
using System.Net.Sockets;

namespace PlayChat.Core.Transport;

/// <summary>The one place where socket errors become close reasons and sentences.</summary>
internal static class SocketErrors
{
    /// <summary>Why a link with this error ended.</summary>
    /// <remarks>
    /// A reset is ConnectionReset everywhere; writing after it is Shutdown on Unix (EPIPE) and ConnectionAborted on Windows; a peer
    /// that vanished is TimedOut (retransmissions ran out) or one of the unreachable errors. OperationAborted and the like
    /// are our own closing of the socket.
    /// </remarks>
    internal static CloseReason ToCloseReason(SocketError error) => error switch
    {
        SocketError.Success => CloseReason.PeerClosed,
        SocketError.ConnectionReset or SocketError.ConnectionAborted or SocketError.NetworkReset or SocketError.Shutdown
            or SocketError.TimedOut or SocketError.HostUnreachable or SocketError.NetworkUnreachable
            or SocketError.HostDown or SocketError.NetworkDown => CloseReason.PeerReset,
        SocketError.OperationAborted or SocketError.Interrupted or SocketError.NotSocket => CloseReason.LocalClose,
        _ => CloseReason.TransportFault,
    };

    internal static ListenFailedException CannotListen(EndPoint endPoint, SocketException exception)
    {
        string why = exception.SocketErrorCode switch
        {
            SocketError.AddressAlreadyInUse => "the port is in use; stop the program that has it or choose another port (0 takes a free one)",
            SocketError.AccessDenied => "this user may not open that port; choose one above 1023 or grant the right",
            SocketError.AddressNotAvailable => "this machine has no such address; use 127.0.0.1, 0.0.0.0 or one of its own",
            _ => exception.Message,
        };
        return new ListenFailedException(endPoint, $"Cannot listen on {endPoint}: {why}.", exception);
    }

    internal static ConnectFailedException CannotConnect(EndPoint endPoint, SocketException exception)
    {
        string why = exception.SocketErrorCode switch
        {
            SocketError.ConnectionRefused => "nobody listens there; see whether the server runs, and on that port",
            SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain => "the name is not known",
            SocketError.TimedOut => "no answer came in time",
            SocketError.AddressNotAvailable => "no local port is free; raise the port range or use fewer connections",
            SocketError.TooManyOpenSockets => "this process may open no more files (ulimit -n)",
            _ => exception.Message,
        };
        return new ConnectFailedException(endPoint, $"Cannot connect to {Describe(endPoint)}: {why}.", exception);
    }

    private static string Describe(EndPoint endPoint) =>
        endPoint is DnsEndPoint dns ? $"{dns.Host}:{dns.Port}" : endPoint.ToString() ?? "?";
}
