namespace PlayChat.Core.Transport;

/// <summary>Turns socket errors into close reasons and into messages that name the cause and what to do.</summary>
internal static class SocketErrors
{
    internal static CloseReason ToCloseReason(SocketError error) => error switch
    {
        SocketError.Success => CloseReason.PeerClosed,
        SocketError.ConnectionReset or SocketError.ConnectionAborted or SocketError.NetworkReset or SocketError.Shutdown
            or SocketError.TimedOut or SocketError.HostUnreachable or SocketError.NetworkUnreachable
            or SocketError.HostDown or SocketError.NetworkDown => CloseReason.PeerReset,
        SocketError.OperationAborted or SocketError.Interrupted or SocketError.NotSocket => CloseReason.LocalClose,
        _ => CloseReason.TransportFault,
    };

    internal static string DescribeListen(EndPoint endPoint, Exception cause)
    {
        string why = (cause as SocketException)?.SocketErrorCode switch
        {
            SocketError.SocketNotSupported or SocketError.NotSocket or SocketError.InvalidArgument when endPoint is DescriptorEndPoint =>
                "it is not a listening TCP socket; see how the process that passes it makes it",
            SocketError.AddressAlreadyInUse =>
                "the port is in use; stop the program that has it or choose another port (0 takes a free one)",
            SocketError.AccessDenied => "this user may not open that port; choose one above 1023 or grant the right",
            SocketError.AddressNotAvailable => "this machine has no such address; use 127.0.0.1, 0.0.0.0 or one of its own",
            _ => cause.Message.TrimEnd('.'),
        };
        return $"Cannot listen on {endPoint}: {why}.";
    }
}
