using System.Net;
using PlayChat.Core;

namespace PlayChat.Simulation.Chat;

/// <summary>The client's end of a link, for a client that is PlayChat's own.</summary>
internal sealed class ClientEnd : SimulatedEnd
{
    private static readonly TimeSpan s_systemGivesUp = TimeSpan.FromSeconds(100);

    private readonly SimulatedLink _link;
    private readonly Queue<byte[]> _arrived = new();
    private int _read; // of the first array
    private CloseReason _end;
    private bool _isDisposed;

    internal ClientEnd(SimulatedNetwork network, SimulatedLink link, EndPoint server)
        : base(network, network.ClientReady, server)
    {
        _link = link;
        link.Received = bytes =>
        {
            _arrived.Enqueue(bytes.ToArray());
            CompleteReceive();
        };
        link.Ended = isReset => End(isReset ? CloseReason.PeerReset : CloseReason.PeerClosed);
    }

    public override CloseReason EndReason => _end;

    /// <summary>Whether the link still leads to the server, as far as this end knows.</summary>
    internal bool IsOpen => _end == CloseReason.None;

    private protected override bool IsReady => _arrived.Count > 0 || _end != CloseReason.None;

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        _network.Interrupt();
        // A link of which the client does not know that it is dead takes everything.
        _link.ClientSend(buffer.Span, isForced: true);
        if (!_network.DrawPart())
        {
            return new ValueTask<bool>(IsOpen);
        }

        var operation = new Operation<bool>(_network.ClientReady);
        operation.Complete(() => IsOpen);
        return operation.Task;
    }

    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        byte[] all = [.. buffers.SelectMany(static buffer => buffer)];
        return SendAsync(all);
    }

    public override void Shutdown() => _link.ClientFinish();

    public override void Abort()
    {
        Reset();
        End(CloseReason.LocalClose);
    }

    /// <summary>Breaks the link: both ends learn of it.</summary>
    internal void Break()
    {
        Reset();
        End(CloseReason.PeerReset);
    }

    /// <summary>Breaks the link, and neither end learns of it before the system gives up.</summary>
    internal void Vanish()
    {
        if (!_link.IsLeft)
        {
            _link.ClientVanish();
            _network.Clock.After(s_systemGivesUp, () => End(CloseReason.PeerReset));
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            if (_end == CloseReason.PeerClosed && !_link.IsLeft)
            {
                _link.ClientClose();
            }
            else
            {
                Abort();
            }
        }
    }

    private void Reset()
    {
        if (!_link.IsLeft)
        {
            _link.ClientReset();
        }
    }

    private void End(CloseReason reason)
    {
        if (_end == CloseReason.None)
        {
            _end = reason;
            CompleteReceive();
        }
    }

    private protected override int Receive(Memory<byte> buffer)
    {
        if (_end is not (CloseReason.None or CloseReason.PeerClosed) || !_arrived.TryPeek(out byte[]? first))
        {
            return 0;
        }

        int bytes = Math.Min(buffer.Length, first.Length - _read);
        bytes = _network.DrawPart() ? 1 + _network.Dice.Next(bytes) : bytes;
        first.AsSpan(_read, bytes).CopyTo(buffer.Span);
        _read += bytes;
        if (_read == first.Length)
        {
            _arrived.Dequeue();
            _read = 0;
        }

        return bytes;
    }
}
