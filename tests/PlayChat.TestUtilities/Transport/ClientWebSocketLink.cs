using System.Net;
using System.Net.WebSockets;
using PlayChat.Core;
using PlayChat.Core.Transport;

namespace PlayChat.TestUtilities.Transport;

/// <summary>The client's end of a WebSocket as a link. Each send is a binary message.</summary>
internal sealed class ClientWebSocketLink(ClientWebSocket socket, EndPoint remote) : TransportConnection
{
    private int _endReason;

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
                    SetEnd(CloseReason.PeerClosed);
                    return 0;
                }

                if (result.Count > 0)
                {
                    return result.Count;
                }
            }
        }
        catch (Exception e) when (e is WebSocketException or ObjectDisposedException or OperationCanceledException)
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
        catch (Exception e) when (e is WebSocketException or ObjectDisposedException or OperationCanceledException)
        {
            SetEnd(CloseReason.PeerReset);
            return false;
        }
    }

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers) =>
        SendAsync(buffers.SelectMany(static buffer => buffer).ToArray());

    public override void Shutdown() => _ = ShutdownAsync();

    public override void Abort()
    {
        SetEnd(CloseReason.LocalClose);
        socket.Abort();
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            socket.Dispose();
        }
    }

    private async Task ShutdownAsync()
    {
        try
        {
            await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e) when (e is WebSocketException or ObjectDisposedException or OperationCanceledException)
        {
            // The link has ended already; the receive under way reports it.
        }
    }

    private void SetEnd(CloseReason reason) => Interlocked.CompareExchange(ref _endReason, (int)reason, (int)CloseReason.None);
}
