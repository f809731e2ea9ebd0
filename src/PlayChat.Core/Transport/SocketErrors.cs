using System.Net;
using System.Net.Sockets;

namespace PlayChat.Core.Transport;

/// <summary>Turns socket errors into close reasons and exceptions. Every transport over sockets uses it, so that they agree.</summary>
public static class SocketErrors
{
    /// <summary>Says why a link with this error ended.</summary>
    /// <param name="error">The error of a send or receive; <see cref="SocketError.Success"/> for an orderly end.</param>
    /// <remarks>
    /// A reset is ConnectionReset on every system. A write after a reset is Shutdown on Unix (EPIPE) and ConnectionAborted on Windows. A
    /// peer that vanished is TimedOut, when the retransmissions ran out, or one of the unreachable errors. OperationAborted, Interrupted
    /// and NotSocket mean that this side closed the socket.
    /// </remarks>
    public static CloseReason ToCloseReason(SocketError error) => error switch
    {
        SocketError.Success => CloseReason.PeerClosed,
        SocketError.ConnectionReset or SocketError.ConnectionAborted or SocketError.NetworkReset or SocketError.Shutdown
            or SocketError.TimedOut or SocketError.HostUnreachable or SocketError.NetworkUnreachable
            or SocketError.HostDown or SocketError.NetworkDown => CloseReason.PeerReset,
        SocketError.OperationAborted or SocketError.Interrupted or SocketError.NotSocket => CloseReason.LocalClose,
        _ => CloseReason.TransportFault,
    };

    /// <summary>Makes the exception of a listener that could not be started. Its message names the cause and what to do.</summary>
    /// <param name="endPoint">The address that was to be bound.</param>
    /// <param name="exception">The system's error.</param>
    public static ListenFailedException CannotListen(EndPoint endPoint, SocketException exception)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(exception);
        string why = exception.SocketErrorCode switch
        {
            SocketError.AddressAlreadyInUse =>
                "the port is in use; stop the program that has it or choose another port (0 takes a free one)",
            SocketError.AccessDenied => "this user may not open that port; choose one above 1023 or grant the right",
            SocketError.AddressNotAvailable => "this machine has no such address; use 127.0.0.1, 0.0.0.0 or one of its own",
            _ => exception.Message,
        };
        return new ListenFailedException(endPoint, $"Cannot listen on {endPoint}: {why}.", exception);
    }

    /// <summary>Makes the exception of a connection that could not be made. Its message names the cause and what to do.</summary>
    /// <param name="endPoint">The server's address or name.</param>
    /// <param name="exception">The system's error.</param>
    public static ConnectFailedException CannotConnect(EndPoint endPoint, SocketException exception)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(exception);
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
