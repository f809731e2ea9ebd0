using System.Net;
using PlayChat.Core;
using PlayChat.Core.Transport;

namespace PlayChat.Simulation;

/// <summary>A link: as a <see cref="TransportConnection"/> the server's end, by its other methods the client's.</summary>
internal sealed class SimulatedLink : SimulatedEnd
{
    private readonly ByteStream _up;
    private readonly ByteStream _down;
    private CloseReason _end;
    private bool _isOver;
    private bool _isDisposed;
    private bool _clientReads = true;
    private IThreadPoolWorkItem? _reader;
    private Operation<bool>? _wait;
    private Operation<bool>? _send;
    private readonly Queue<ReadOnlyMemory<byte>> _unsent = new();

    internal SimulatedLink(SimulatedNetwork network, EndPoint client)
        : base(network, network.Ready, client)
    {
        _up = new ByteStream(network, network.LinkBytes) { Arrived = OnServerReady };
        _down = new ByteStream(network, network.LinkBytes) { Arrived = OnClientReady, Drained = ContinueSend };
    }

    public override CloseReason EndReason => _end;

    public override bool KnowsReadiness => _network.Readiness != Readiness.Receive;

    /// <summary>Called with what has arrived at the client.</summary>
    internal Action<ReadOnlyMemory<byte>> Received { get; set; } = static _ => { };

    /// <summary>Called when the client learns that the link has ended.</summary>
    internal Action<bool> Ended { get; set; } = static _ => { };

    /// <summary>Whether the client has let the link go.</summary>
    internal bool IsLeft { get; private set; }

    /// <summary>Whether the client reads what arrives.</summary>
    internal bool ClientReads
    {
        get => _clientReads;
        set
        {
            _clientReads = value;
            if (value)
            {
                OnClientReady();
            }
        }
    }

    private protected override bool IsReady => _isOver || _up.Available > 0 || _up.HasEnded;

    public override bool? TryWaitForData(IThreadPoolWorkItem reader)
    {
        if (_network.Readiness != Readiness.Reader)
        {
            return null;
        }

        if (IsReady)
        {
            return false;
        }

        _reader = reader;
        return true;
    }

    public override ValueTask WaitForDataAsync()
    {
        if (IsReady)
        {
            return default;
        }

        _wait = new Operation<bool>(_network.Ready);
        return _wait.Wait;
    }

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        _network.Interrupt();
        _unsent.Enqueue(buffer);
        return Send();
    }

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        _network.Interrupt();
        foreach (ArraySegment<byte> buffer in buffers)
        {
            _unsent.Enqueue(buffer);
        }

        return Send();
    }

    public override void Shutdown() => _down.Finish();

    public override void Abort() => End(CloseReason.LocalClose, tellsClient: true);

    /// <summary>Sends bytes to the server.</summary>
    /// <param name="bytes">What to send.</param>
    /// <param name="isForced">Whether a full link takes them as well, as if the client's own buffer did.</param>
    /// <returns><see langword="false"/> if the link has no room for them, so that a real client would wait.</returns>
    internal bool ClientSend(ReadOnlySpan<byte> bytes, bool isForced = false)
    {
        if (IsLeft || (!isForced && _up.Room < bytes.Length))
        {
            return false;
        }

        _up.Write(bytes);
        return true;
    }

    /// <summary>Sends the end behind what the client has sent. The client still reads.</summary>
    internal void ClientFinish() => _up.Finish();

    /// <summary>Closes the client's end: the server reads the end behind what the client has sent.</summary>
    internal void ClientClose()
    {
        Leave();
        _up.Finish();
    }

    /// <summary>Resets the link, of which the server learns after a while.</summary>
    internal void ClientReset()
    {
        Leave();
        _down.Drop();
        _network.Clock.After(_network.DrawDelay(), () => End(CloseReason.PeerReset, tellsClient: false));
    }

    /// <summary>Lets the client vanish: the server learns nothing, and what it sends is lost.</summary>
    internal void ClientVanish()
    {
        Leave();
        _up.Cut();
        _down.Cut();
    }

    protected override void Dispose(bool disposing)
    {
        if (!_isDisposed)
        {
            End(CloseReason.LocalClose, tellsClient: true);
            _isDisposed = true;
            _network.Open.Remove(this);
        }
    }

    private void Leave()
    {
        IsLeft = true;
        Received = static _ => { };
        Ended = static _ => { };
        _clientReads = true; // the system reads on and drops it
    }

    private void End(CloseReason reason, bool tellsClient)
    {
        if (_isOver)
        {
            return;
        }

        _isOver = true;
        _end = _end == CloseReason.None ? reason : _end; // the first reason counts
        if (tellsClient && !(_down.HasEnded && _up.HasEnded))
        {
            _network.Clock.After(_network.DrawDelay(), () => Ended(true));
        }

        _up.Drop();
        OnServerReady();
        ContinueSend();
    }

    private protected override int Receive(Memory<byte> buffer)
    {
        if (_isOver)
        {
            return 0;
        }

        if (_up.Available == 0)
        {
            _end = CloseReason.PeerClosed;
            return 0;
        }

        int bytes = Math.Min(Math.Min(buffer.Length, _network.ReceiveBytes), _up.Available);
        return _up.Read(buffer.Span[..(_network.DrawPart() ? 1 + _network.Dice.Next(bytes) : bytes)]);
    }

    private void OnServerReady()
    {
        if (!IsReady)
        {
            return;
        }

        if (_reader is { } reader)
        {
            _reader = null;
            _network.Ready.Enqueue(reader);
        }

        if (_wait is { } wait)
        {
            _wait = null;
            wait.Complete(static () => true);
        }

        CompleteReceive();
    }

    private ValueTask<bool> Send()
    {
        bool isLate = _network.DrawPart();
        if (!isLate)
        {
            Transmit();
        }

        if (_unsent.Count == 0 || _isOver)
        {
            _unsent.Clear();
            return new ValueTask<bool>(!_isOver);
        }

        _send = new Operation<bool>(_network.Ready);
        ValueTask<bool> task = _send.Task;
        if (isLate)
        {
            _network.Ready.Enqueue(new WorkItem(ContinueSend));
        }

        return task;
    }

    /// <summary>Sends what the link takes now.</summary>
    private void Transmit()
    {
        while (!_isOver && _unsent.TryPeek(out ReadOnlyMemory<byte> next))
        {
            int bytes = Math.Min(next.Length, _down.Room);
            if (bytes > 1 && _network.DrawPart())
            {
                bytes = 1 + _network.Dice.Next(bytes);
            }

            if (bytes == 0 && next.Length > 0)
            {
                return;
            }

            ReadOnlySpan<byte> sent = next.Span[..bytes];
            _down.Write(_network.Filter is { } filter ? filter(this, sent.ToArray()) : sent);
            _unsent.Dequeue();
            if (bytes < next.Length)
            {
                ReadOnlyMemory<byte>[] behind = [.. _unsent];
                _unsent.Clear();
                _unsent.Enqueue(next[bytes..]);
                Array.ForEach(behind, _unsent.Enqueue);
            }
        }
    }

    private void ContinueSend()
    {
        if (_send is not { } send)
        {
            return;
        }

        Transmit();
        if (_unsent.Count == 0 || _isOver)
        {
            _send = null;
            _network.FailedSends += _unsent.Count > 0 ? 1 : 0;
            _unsent.Clear();
            send.Complete(() => !_isOver);
        }
    }

    private void OnClientReady()
    {
        while (_clientReads && _down.Available > 0)
        {
            byte[] bytes = new byte[_down.Available];
            _down.Read(bytes);
            Received(bytes);
        }

        if (_clientReads && _down.HasEnded)
        {
            Ended(false);
        }
    }
}
