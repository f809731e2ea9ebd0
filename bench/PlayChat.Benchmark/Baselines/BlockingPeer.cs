using System.Net.Sockets;

namespace PlayChat.Benchmark.Baselines;

/// <summary>A connection of <see cref="BlockingThreadsServer"/>.</summary>
internal sealed class BlockingPeer : IBaselineMember
{
    /// <summary>The longest that a send may take, in milliseconds.</summary>
    public const int SendTimeout = 5000;

    private readonly Socket _socket;
    private readonly BaselineHub _hub;

    public BlockingPeer(Socket socket, BaselineHub hub)
    {
        _socket = socket;
        _hub = hub;
        socket.NoDelay = true;
        socket.SendTimeout = SendTimeout;
    }

    /// <summary>Serves it until it ends. Never throws.</summary>
    public void Run()
    {
        BaselineRoom? room = _hub.Enter(this);
        try
        {
            Receive(room);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The peer disconnected, or the server stops.
        }
        finally
        {
            _hub.Leave(this, room);
            _socket.Dispose();
        }
    }

    public void Close() => _socket.Dispose();

    public void Deliver(ReadOnlyMemory<byte> frames)
    {
        try
        {
            Send(frames.Span);
        }
        catch (SocketException e)
        {
            if (e.SocketErrorCode == SocketError.TimedOut)
            {
                _hub.Counters.OnSlowConsumer();
            }

            Close(); // its own thread ends then
        }
        catch (ObjectDisposedException)
        {
            // It has just ended.
        }
    }

    public void Flush()
    {
        // Sent already.
    }

    private void Receive(BaselineRoom? room)
    {
        var buffer = new ReceiveBuffer(_hub.Framing);
        while (_socket.Receive(buffer.Free.Span) is > 0 and var bytes
            && buffer.TryTake(bytes, out ReadOnlyMemory<byte> whole, out int frames))
        {
            _hub.Counters.OnReceived(bytes, frames);
            if (frames > 0)
            {
                if (room is null)
                {
                    _hub.Counters.OnEchoed(frames);
                    Send(whole.Span);
                }
                else
                {
                    room.Broadcast(whole, frames);
                }
            }

            buffer.Release();
        }
    }

    private void Send(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            int sent = _socket.Send(bytes);
            _hub.Counters.OnSent(sent);
            bytes = bytes[sent..];
        }
    }
}
