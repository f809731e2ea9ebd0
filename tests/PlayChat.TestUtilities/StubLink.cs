using System.Net;
using System.Threading.Tasks.Sources;
using PlayChat.Core;
using PlayChat.Core.Transport;

namespace PlayChat.TestUtilities;

/// <summary>A link without a peer: the test is the peer. What it feeds is handled on its own thread before the call returns.</summary>
/// <remarks>Sends complete at once, unless they are held. In steady state it allocates nothing. Thread-safe, but for feeding: one thread at
/// a time.</remarks>
public sealed class StubLink : TransportConnection, IValueTaskSource<int>, IValueTaskSource<bool>
{
    private readonly object _gate = new();
    private readonly Queue<ReadOnlyMemory<byte>> _fed = new();
    private ManualResetValueTaskSourceCore<int> _receive;
    private ManualResetValueTaskSourceCore<bool> _send;
    private Memory<byte> _target;
    private ReadOnlyMemory<byte> _rest; // of a piece that was larger than what was asked for
    private bool _receiving;
    private bool _sending;
    private bool _ended;
    private int _endReason;

    /// <inheritdoc/>
    public override EndPoint? RemoteEndPoint => Remote;

    /// <inheritdoc/>
    public override EndPoint? LocalEndPoint { get; } = new IPEndPoint(IPAddress.Loopback, 7000);

    /// <inheritdoc/>
    public override CloseReason EndReason => (CloseReason)Volatile.Read(ref _endReason);

    /// <summary>The peer's address.</summary>
    public EndPoint Remote { get; init; } = new IPEndPoint(IPAddress.Loopback, 40_000);

    /// <summary>Sends begun.</summary>
    public int Sends { get; private set; }

    /// <summary>Bytes of those sends.</summary>
    public long SentBytes { get; private set; }

    /// <summary>Where the bytes go, if anybody wants them.</summary>
    public MemoryStream? Sent { get; set; }

    /// <summary>Sends stay under way until <see cref="CompleteSend"/>, as if the peer did not read.</summary>
    public bool HoldSends { get; set; }

    /// <summary>A send throws, as no transport should.</summary>
    public bool ThrowOnSend { get; set; }

    /// <summary>Receives that may complete at once before the connection gives way.</summary>
    public int ReceivesInARow { get; set; } = 16;

    /// <summary>Whether each receive counts as a record, as under TLS.</summary>
    public bool IsOfRecords { get; set; }

    /// <summary>What the link itself holds of a message that is not whole.</summary>
    public int Unfinished { get; private set; }

    /// <summary>Whether our side has sent its FIN.</summary>
    public bool IsShutdown { get; private set; }

    /// <summary>Whether our side has aborted.</summary>
    public bool IsAborted { get; private set; }

    /// <summary>How often it was disposed.</summary>
    public int Disposals { get; private set; }

    /// <summary>Whether a receive with a buffer is under way.</summary>
    public bool IsReceiving => Volatile.Read(ref _receiving);

    internal override int MaxSynchronousReceives => ReceivesInARow;

    internal override bool BringsRecords => IsOfRecords;

    internal override int UnfinishedBytes => Unfinished;

    /// <summary>Gives the connection bytes to receive.</summary>
    public void Feed(ReadOnlyMemory<byte> bytes)
    {
        int received;
        lock (_gate)
        {
            if (!_receiving)
            {
                _fed.Enqueue(bytes);
                return;
            }

            received = Take(bytes, _target.Span);
            _receiving = false;
        }

        _receive.SetResult(received);
    }

    /// <summary>Completes the receive under way without content.</summary>
    /// <param name="unfinished">What the link holds from now on.</param>
    public void FeedNothing(int unfinished)
    {
        lock (_gate)
        {
            Unfinished = unfinished;
            _receiving = false;
        }

        _receive.SetResult(NothingYet);
    }

    /// <summary>The peer ends: in order (FIN) by default, or otherwise for another reason.</summary>
    public void FeedEnd(CloseReason reason = CloseReason.PeerClosed) => End(reason);

    /// <summary>Lets the send that is held come to its end.</summary>
    public void CompleteSend(bool sent = true)
    {
        lock (_gate)
        {
            if (!_sending)
            {
                return;
            }

            _sending = false;
        }

        _send.SetResult(sent);
    }

    /// <inheritdoc/>
    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        lock (_gate)
        {
            if (!_ended && (!_rest.IsEmpty || _fed.Count > 0))
            {
                return new ValueTask<int>(Take(_rest.IsEmpty ? _fed.Dequeue() : _rest, buffer.Span));
            }

            if (_ended)
            {
                return new ValueTask<int>(0);
            }

            _target = buffer;
            _receiving = true;
            return new ValueTask<int>(this, _receive.Version);
        }
    }

    /// <inheritdoc/>
    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        lock (_gate)
        {
            Sent?.Write(buffer.Span);
            return Begin(buffer.Length);
        }
    }

    /// <inheritdoc/>
    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        lock (_gate)
        {
            int bytes = 0;
            for (int i = 0; i < buffers.Count; i++)
            {
                Sent?.Write(buffers[i]);
                bytes += buffers[i].Count;
            }

            return Begin(bytes);
        }
    }

    /// <inheritdoc/>
    public override void Shutdown() => IsShutdown = true;

    /// <inheritdoc/>
    public override void Abort()
    {
        IsAborted = true;
        End(CloseReason.LocalClose);
        CompleteSend(sent: false);
    }

    int IValueTaskSource<int>.GetResult(short token)
    {
        int result = _receive.GetResult(token);
        _receive.Reset();
        return result;
    }

    bool IValueTaskSource<bool>.GetResult(short token)
    {
        bool result = _send.GetResult(token);
        _send.Reset();
        return result;
    }

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _receive.GetStatus(token);

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _send.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _receive.OnCompleted(continuation, state, token, flags);

    void IValueTaskSource<bool>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _send.OnCompleted(continuation, state, token, flags);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => Disposals++;

    private void End(CloseReason reason)
    {
        Interlocked.CompareExchange(ref _endReason, (int)reason, (int)CloseReason.None);
        lock (_gate)
        {
            _ended = true;
            if (!_receiving)
            {
                return;
            }

            _receiving = false;
        }

        _receive.SetResult(0);
    }

    private int Take(ReadOnlyMemory<byte> bytes, Span<byte> target)
    {
        int taken = Math.Min(bytes.Length, target.Length);
        bytes.Span[..taken].CopyTo(target);
        _rest = bytes[taken..];
        return taken;
    }

    private ValueTask<bool> Begin(int bytes)
    {
        if (ThrowOnSend)
        {
            throw new InvalidOperationException("A transport that throws.");
        }

        if (_sending)
        {
            throw new InvalidOperationException("Two sends at a time.");
        }

        Sends++;
        SentBytes += bytes;
        if (IsAborted)
        {
            return new ValueTask<bool>(false);
        }

        if (!HoldSends)
        {
            return new ValueTask<bool>(true);
        }

        _sending = true;
        return new ValueTask<bool>(this, _send.Version);
    }
}
