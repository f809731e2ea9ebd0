using System.Runtime.InteropServices;
using System.Threading.Tasks.Sources;

namespace PlayChat.Core.Transport.Linux;

// Sending: at once, by whoever sends; only what the socket does not take waits for the loop.
internal sealed partial class LinuxConnection
{
    private const int Failed = -2;

    // Pieces of one system call: more would only make the stack deep, see SendPieces.
    private const int MaxPieces = 64;

    private PendingSend Pending => _pendingSend ??= new PendingSend(this);

    /// <inheritdoc/>
    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        int sent = TrySend(buffer.Span);
        return sent == buffer.Length ? new ValueTask<bool>(true)
            : sent == Failed ? new ValueTask<bool>(false)
            : Pending.Start(buffer, Math.Max(0, sent));
    }

    /// <inheritdoc/>
    public override ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        int piece = 0;
        int offset = 0;
        return TrySendAll(buffers, ref piece, ref offset) switch
        {
            WouldBlock => Pending.Start(buffers, piece, offset),
            Failed => new ValueTask<bool>(false),
            _ => new ValueTask<bool>(true),
        };
    }

    /// <summary>Completes when a connect that is under way has an outcome, which the socket then has.</summary>
    internal ValueTask<bool> WaitForConnectAsync() => Pending.StartConnect();

    /// <summary>Takes the outcome of a connect: 0, or the system's error.</summary>
    internal int TakeConnectError() => Libc.TakeError(_fd);

    private void WakeSender(ReadinessWaiter waiter)
    {
        if (waiter == ReadinessWaiter.Operation)
        {
            _pendingSend!.Continue();
        }
    }

    /// <returns>Bytes, <see cref="WouldBlock"/> or <see cref="Failed"/>.</returns>
    private unsafe int TrySend(ReadOnlySpan<byte> buffer)
    {
        fixed (byte* start = buffer)
        {
            return TrySend(start, buffer.Length, null);
        }
    }

    /// <summary>Sends until all is sent or the socket takes no more.</summary>
    /// <returns>0 when all is sent, else <see cref="WouldBlock"/> or <see cref="Failed"/>.</returns>
    private unsafe int TrySendAll(IList<ArraySegment<byte>> buffers, ref int piece, ref int offset)
    {
        IoVector* vectors = stackalloc IoVector[MaxPieces];
        while (piece < buffers.Count)
        {
            int sent = SendPieces(buffers, piece, offset, vectors, 0);
            if (sent < 0)
            {
                return sent;
            }

            // Less than was asked for: the next call says that it would block, and by that has the system tell when it no longer does.
            offset += sent;
            while (piece < buffers.Count && offset >= buffers[piece].Count)
            {
                offset -= buffers[piece++].Count;
            }
        }

        return 0;
    }

    /// <summary>Each call pins one piece in its own frame, so that no handle need be allocated; the last one sends.</summary>
    private unsafe int SendPieces(IList<ArraySegment<byte>> buffers, int piece, int offset, IoVector* vectors, int count)
    {
        if (count == MaxPieces || piece == buffers.Count)
        {
            return TrySend(null, count, vectors);
        }

        Span<byte> span = buffers[piece].AsSpan(offset);
        fixed (byte* start = span)
        {
            vectors[count].Start = start;
            vectors[count].Bytes = span.Length;
            return SendPieces(buffers, piece + 1, 0, vectors, count + 1);
        }
    }

    /// <summary>The one place that sends: a buffer, or as many vectors.</summary>
    private unsafe int TrySend(byte* start, int count, IoVector* vectors)
    {
        nint sent = Failed;
        int error = LinuxErrors.Disposed;
        Interlocked.Exchange(ref _sending, 1); // see TryReceive
        if (_disposed == 0)
        {
            do
            {
                if (vectors is null)
                {
                    sent = Libc.Send(_fd, start, count, Libc.NoSignal);
                }
                else
                {
                    var message = new MessageHeader { Vectors = vectors, VectorCount = count };
                    sent = Libc.SendMessage(_fd, &message, Libc.NoSignal);
                }

                error = sent < 0 ? Marshal.GetLastPInvokeError() : 0;
            }
            while (error == LinuxErrors.Interrupted);
        }

        if (sent < 0 && error != LinuxErrors.WouldBlock)
        {
            SetEnd(LinuxErrors.ToCloseReason(error)); // before the call counts as over: see ReceivedNothing
            sent = Failed;
        }

        Volatile.Write(ref _sending, 0);
        return (int)sent; // -1, when it would block, is WouldBlock
    }

    /// <summary>The send that waits: what is left of it, and the awaitable.</summary>
    private sealed class PendingSend(LinuxConnection link) : IValueTaskSource<bool>
    {
        private ManualResetValueTaskSourceCore<bool> _source;
        private ReadOnlyMemory<byte> _buffer;
        private IList<ArraySegment<byte>>? _buffers;
        private int _piece;
        private int _offset;

        bool IValueTaskSource<bool>.GetResult(short token)
        {
            bool result = _source.GetResult(token);
            _source.Reset();
            return result;
        }

        ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _source.GetStatus(token);

        void IValueTaskSource<bool>.OnCompleted(
            Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            _source.OnCompleted(continuation, state, token, flags);

        internal ValueTask<bool> Start(ReadOnlyMemory<byte> buffer, int sent)
        {
            (_buffer, _buffers, _piece, _offset) = (buffer, null, 0, sent);
            return Start();
        }

        internal ValueTask<bool> Start(IList<ArraySegment<byte>> buffers, int piece, int offset)
        {
            (_buffer, _buffers, _piece, _offset) = (default, buffers, piece, offset);
            return Start();
        }

        /// <summary>Nothing to send, and nothing to try before the edge.</summary>
        internal ValueTask<bool> StartConnect()
        {
            var task = new ValueTask<bool>(this, _source.Version);
            link.Watch();
            if (!link._writable.TryArm())
            {
                Continue();
            }

            return task;
        }

        /// <summary>The socket takes more.</summary>
        internal void Continue()
        {
            int outcome;
            do
            {
                link._writable.Clear();
                outcome = _buffers is null ? SendRest() : link.TrySendAll(_buffers, ref _piece, ref _offset);
            }
            while (outcome == WouldBlock && !link._writable.TryArm());

            if (outcome != WouldBlock)
            {
                (_buffer, _buffers) = (default, null);
                _source.SetResult(outcome != Failed);
            }
        }

        private ValueTask<bool> Start()
        {
            var task = new ValueTask<bool>(this, _source.Version);
            link.Watch();
            Continue(); // once more: the last edge may have come before it was known to matter
            return task;
        }

        private int SendRest()
        {
            while (_offset < _buffer.Length)
            {
                int sent = link.TrySend(_buffer.Span[_offset..]);
                if (sent < 0)
                {
                    return sent;
                }

                _offset += sent;
            }

            return 0;
        }
    }
}
