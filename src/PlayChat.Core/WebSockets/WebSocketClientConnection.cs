using System.Net.WebSockets;

namespace PlayChat.Core.WebSockets;

/// <summary>The client's end of a WebSocket as a link. Each send is a binary message.</summary>
internal sealed class WebSocketClientConnection(ClientWebSocket socket, EndPoint remote) : TransportConnection
{
    private int _endReason;
    private Task _shutdown = Task.CompletedTask;

    public override EndPoint? RemoteEndPoint => remote;

    public override EndPoint? LocalEndPoint => null;

    public override CloseReason EndReason => (CloseReason)Volatile.Read(ref _endReason);

    public override async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        try
        {
            while (true)
            {
                ValueWebSocketReceiveResult result = await socket.ReceiveAsync(buffer, CancellationToken.None).ConfigureAwait(false);
                if (result.MessageType == WebSocketMessageType.Close)
                {
                    SetEnd(CloseCodes.ReasonOf((int)(socket.CloseStatus ?? WebSocketCloseStatus.NormalClosure)));
                    return 0;
                }

                if (result.Count > 0)
                {
                    return result.Count;
                }
            }
        }
        catch (Exception e) when (IsLinkFault(e))
        {
            SetEnd(CloseReason.PeerReset);
            return 0;
        }
    }

    public override async ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        try
        {
            await socket.SendAsync(buffer, WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (IsLinkFault(e))
        {
            SetEnd(CloseReason.PeerReset);
            return false;
        }
    }

    public override async ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        byte[] message = ArrayPool<byte>.Shared.Rent(buffers.Sum(static buffer => buffer.Count));
        try
        {
            int filled = 0;
            foreach (ArraySegment<byte> buffer in buffers)
            {
                buffer.AsSpan().CopyTo(message.AsSpan(filled));
                filled += buffer.Count;
            }

            return await SendAsync(message.AsMemory(0, filled)).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(message);
        }
    }

    public override void Shutdown() => _shutdown = ShutdownAsync();

    public override void Abort()
    {
        SetEnd(CloseReason.LocalClose);
        socket.Abort();
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _ = DisposeAsync();
        }
    }

    // The close frame may still be on its way. It ends at the latest when the server closes or the link is aborted.
    private async Task DisposeAsync()
    {
        await _shutdown.ConfigureAwait(false);
        socket.Dispose();
    }

    private async Task ShutdownAsync()
    {
        try
        {
            await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, statusDescription: null, CancellationToken.None)
                .ConfigureAwait(false);
        }
        catch (Exception e) when (IsLinkFault(e))
        {
            // The link has ended already; the receive under way reports it.
        }
    }

    private static bool IsLinkFault(Exception e) =>
        e is WebSocketException or ObjectDisposedException or OperationCanceledException or IOException or InvalidOperationException;

    private void SetEnd(CloseReason reason) => Interlocked.CompareExchange(ref _endReason, (int)reason, (int)CloseReason.None);
}
