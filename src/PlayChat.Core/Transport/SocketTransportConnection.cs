namespace PlayChat.Core.Transport;

/// <summary>A TCP link over a receive operation of its own, and a send operation that links share until one of its sends waits.</summary>
internal sealed class SocketTransportConnection : TransportConnection
{
    private readonly Socket _socket;
    private readonly SocketReceiver _receiver;
    private int _endReason;

    internal SocketTransportConnection(Socket socket)
    {
        _socket = socket;
        _receiver = new SocketReceiver(this);
        try
        {
            RemoteEndPoint = socket.RemoteEndPoint;
        }
        catch (SocketException)
        {
            // The peer disconnected before its address was read; the first receive reports it.
        }
    }

    public override EndPoint? RemoteEndPoint { get; }

    public override EndPoint? LocalEndPoint
    {
        get
        {
            try
            {
                return _socket.LocalEndPoint; // asks the system the first time, so that a link whose address nobody reads has none
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                return null; // the link has ended
            }
        }
    }

    /// <summary>The link's own sender; <see langword="null"/> until a send has to wait. Only the sender under way sets it.</summary>
    internal SocketSender? Sender { get; set; }

    public override CloseReason EndReason => (CloseReason)Volatile.Read(ref _endReason);

    public override ValueTask WaitForDataAsync() => _receiver.WaitAsync(_socket);

    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer) => _receiver.ReceiveAsync(_socket, buffer);

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer) =>
        (Sender ?? SocketSender.Take(this)).SendAsync(_socket, buffer);

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers) =>
        (Sender ?? SocketSender.Take(this)).SendAsync(_socket, buffers);

    public override void Shutdown()
    {
        try
        {
            _socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The link has ended already; the receive under way reports it.
        }
    }

    public override void Abort()
    {
        SetEnd(CloseReason.LocalClose);
        try
        {
            // No lingering: bytes that the peer has not read are dropped, and it receives a reset.
            _socket.LingerState = new LingerOption(enable: true, seconds: 0);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The link has ended already.
        }

        _socket.Dispose();
    }

    /// <summary>Notes why the link ended; the first reason stays.</summary>
    internal void SetEnd(CloseReason reason) =>
        Interlocked.CompareExchange(ref _endReason, (int)reason, (int)CloseReason.None);

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            // Not through Abort: a link that both sides have finished needs no reset.
            _socket.Dispose();
            _receiver.Dispose();
            Sender?.Dispose();
        }
    }
}
