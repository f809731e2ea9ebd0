using System.Net.Sockets;

namespace PlayChat.Benchmark.Baselines;

/// <summary>A connection of <see cref="SelectServer"/>. For its one thread.</summary>
internal sealed class SelectPeer : IBaselineMember, IDisposable
{
    private readonly Socket _socket;
    private readonly BaselineHub _hub;
    private readonly BaselineRoom? _room;
    private readonly ReceiveBuffer _buffer;
    private readonly Outbox _outbox = new();
    private readonly List<SelectPeer> _touched;
    private ReadOnlyMemory<byte> _sending; // what the socket has not taken yet
    private bool _isTouched;

    /// <param name="socket">Its own, not blocking.</param>
    /// <param name="hub">What all share.</param>
    /// <param name="touched">Where it puts itself when it has something to send at the end of this round.</param>
    public SelectPeer(Socket socket, BaselineHub hub, List<SelectPeer> touched)
    {
        _socket = socket;
        _hub = hub;
        _touched = touched;
        _buffer = new ReceiveBuffer(hub.Framing);
        _room = hub.Enter(this);
    }

    public bool IsClosed { get; private set; }

    // The server does not read from a peer that does not read its answers.
    public bool WantsToRead => _room is not null || _sending.IsEmpty;

    public bool WantsToWrite => !_sending.IsEmpty;

    /// <summary>Reads once, and handles what is whole.</summary>
    public void Receive()
    {
        int bytes = _socket.Receive(_buffer.Free.Span, SocketFlags.None, out SocketError error);
        if (error == SocketError.WouldBlock)
        {
            return;
        }

        if (error != SocketError.Success || bytes == 0 || !_buffer.TryTake(bytes, out ReadOnlyMemory<byte> whole, out int frames))
        {
            IsClosed = true;
            return;
        }

        _hub.Counters.OnReceived(bytes, frames);
        if (frames > 0)
        {
            if (_room is null)
            {
                _hub.Counters.OnEchoed(frames);
                Echo(whole);
            }
            else
            {
                _room.Broadcast(whole, frames);
            }
        }

        _buffer.Release();
    }

    public void Deliver(ReadOnlyMemory<byte> frames)
    {
        if (!_outbox.TryAppend(frames.Span))
        {
            _hub.Counters.OnSlowConsumer();
            IsClosed = true;
        }
    }

    // One send at the end of the round takes what all its reads have brought.
    public void Flush()
    {
        if (!_isTouched)
        {
            _isTouched = true;
            _touched.Add(this);
        }
    }

    /// <summary>Sends as much as the socket takes.</summary>
    public void Send()
    {
        _isTouched = false;
        while (!_sending.IsEmpty || _outbox.TryBegin(out _sending) || _outbox.TryContinue(out _sending))
        {
            if (!TrySend(ref _sending))
            {
                return;
            }
        }
    }

    public void Dispose()
    {
        _hub.Leave(this, _room);
        _socket.Dispose();
    }

    // From where it was received; only what the socket does not take is copied.
    private void Echo(ReadOnlyMemory<byte> whole)
    {
        if (!TrySend(ref whole))
        {
            Deliver(whole);
            Send();
        }
    }

    private bool TrySend(ref ReadOnlyMemory<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            int sent = _socket.Send(bytes.Span, SocketFlags.None, out SocketError error);
            if (error != SocketError.Success)
            {
                IsClosed |= error != SocketError.WouldBlock;
                return false;
            }

            _hub.Counters.OnSent(sent);
            bytes = bytes[sent..];
        }

        return true;
    }
}
