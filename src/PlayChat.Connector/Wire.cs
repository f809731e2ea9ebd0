using System.Net.Security;
using System.Net.Sockets;
using System.Net.WebSockets;

namespace PlayChat.Connector;

/// <summary>Moves bytes to a server and back. One receive and one send at a time; the two may overlap.</summary>
internal abstract class Wire : IDisposable
{
    /// <summary>What the end of the bytes means, after a receive has returned 0.</summary>
    internal CloseReason EndReason { get; private protected set; } = CloseReason.PeerClosed;

    /// <summary>The server's sentence beside it.</summary>
    internal string? EndMessage { get; private protected set; }

    /// <returns>0 at the end.</returns>
    internal abstract Task<int> ReceiveAsync(ArraySegment<byte> buffer);

    /// <summary>Sends whole packets.</summary>
    internal abstract Task SendAsync(ArraySegment<byte> packets);

    /// <summary>Tells the server that nothing more comes.</summary>
    internal abstract Task ShutdownAsync();

    /// <summary>Ends everything at once. May be repeated, on any thread.</summary>
    public abstract void Dispose();

    /// <summary>Whether an exception says that the link has failed, or was ended by this side.</summary>
    internal static bool IsLinkFault(Exception e) => e is IOException or SocketException or WebSocketException
        or ObjectDisposedException or OperationCanceledException or InvalidOperationException;
}

/// <summary>TCP, with or without TLS.</summary>
internal sealed class StreamWire(TcpClient client, Stream stream) : Wire
{
    internal override Task<int> ReceiveAsync(ArraySegment<byte> buffer) => stream.ReadAsync(buffer.Array!, buffer.Offset, buffer.Count);

    internal override Task SendAsync(ArraySegment<byte> packets) => stream.WriteAsync(packets.Array!, packets.Offset, packets.Count);

    internal override async Task ShutdownAsync()
    {
        if (stream is SslStream tls)
        {
            await tls.ShutdownAsync().ConfigureAwait(false);
        }

        client.Client.Shutdown(SocketShutdown.Send);
    }

    public override void Dispose()
    {
        client.Dispose();
        stream.Dispose();
    }
}

/// <summary>A WebSocket whose binary messages hold packets.</summary>
internal sealed class WebSocketWire(TcpClient client, WebSocket socket) : Wire
{
    internal override async Task<int> ReceiveAsync(ArraySegment<byte> buffer)
    {
        while (true)
        {
            WebSocketReceiveResult result = await socket.ReceiveAsync(buffer, CancellationToken.None).ConfigureAwait(false);
            if (result.MessageType == WebSocketMessageType.Close)
            {
                EndReason = CloseCodes.ReasonOf((int)(socket.CloseStatus ?? WebSocketCloseStatus.NormalClosure));
                EndMessage = socket.CloseStatusDescription is { Length: > 0 } text && text != EndReason.ToString() ? text : null;
                return 0;
            }

            if (result.MessageType == WebSocketMessageType.Text)
            {
                EndReason = CloseReason.ProtocolViolation;
                return 0;
            }

            if (result.Count > 0)
            {
                return result.Count;
            }
        }
    }

    internal override Task SendAsync(ArraySegment<byte> packets) =>
        socket.SendAsync(packets, WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);

    internal override Task ShutdownAsync() =>
        socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, statusDescription: null, CancellationToken.None);

    public override void Dispose()
    {
        client.Dispose(); // ends a receive under way
        socket.Dispose();
    }
}
