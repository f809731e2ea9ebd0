namespace PlayChat.Transport.Linux;

/// <summary>The sending direction of a link, embedded in it.</summary>
/// <remarks>
/// The calling thread sends at once; only what the socket does not take waits for the loop. Invariant: at most one send is under way. The
/// loop calls <see cref="SetReady"/> and <see cref="Wake"/>; the one sender calls everything else.
/// </remarks>
internal struct SendHalf
{
    /// <summary>What a send returns when the socket takes no more.</summary>
    internal const int WouldBlock = -1;

    /// <summary>What a send returns when the link has ended.</summary>
    internal const int Failed = -2;

    // Pieces of one system call. More would only deepen the stack, see SendPieces.
    private const int MaxPieces = 64;

    private Readiness _writable;
    private CallGuard _call;
    private PendingSend? _pending; // made at the first send that has to wait

    internal readonly bool IsReady => _writable.IsReady;

    internal ValueTask<bool> SendAsync(LinuxConnection link, ReadOnlyMemory<byte> buffer)
    {
        int sent = TrySend(link, buffer.Span);
        return sent == buffer.Length ? new ValueTask<bool>(true)
            : sent == Failed ? new ValueTask<bool>(false)
            : Pending(link).Start(buffer, Math.Max(0, sent));
    }

    internal ValueTask<bool> SendAsync(LinuxConnection link, IList<ArraySegment<byte>> buffers)
    {
        int piece = 0;
        int offset = 0;
        return TrySendAll(link, buffers, ref piece, ref offset) switch
        {
            WouldBlock => Pending(link).Start(buffers, piece, offset),
            Failed => new ValueTask<bool>(false),
            _ => new ValueTask<bool>(true),
        };
    }

    internal ValueTask<bool> WaitForConnectAsync(LinuxConnection link) => Pending(link).StartConnect();

    /// <summary>Notes an edge, or the end of the link.</summary>
    /// <returns>What waited; the caller then calls <see cref="Wake"/>.</returns>
    internal ReadinessWaiter SetReady() => _writable.Set();

    internal readonly void Wake(ReadinessWaiter waiter)
    {
        if (waiter == ReadinessWaiter.Operation)
        {
            _pending!.Continue();
        }
    }

    internal readonly void WaitUntilReturned() => _call.WaitUntilLeft();

    /// <summary>Continues a waiting send at the next edge; see <see cref="Readiness.TryArm"/>.</summary>
    internal bool TryArm() => _writable.TryArm();

    /// <summary>Says that the system calls that follow use up what the edge has reported; see <see cref="Readiness.Clear"/>.</summary>
    internal void ClearReady() => _writable.Clear();

    /// <returns>The number of bytes, <see cref="WouldBlock"/> or <see cref="Failed"/>.</returns>
    internal unsafe int TrySend(LinuxConnection link, ReadOnlySpan<byte> buffer)
    {
        fixed (byte* start = buffer)
        {
            return TrySend(link, start, buffer.Length, null);
        }
    }

    /// <summary>Sends until all is sent or the socket takes no more.</summary>
    /// <returns>0 when all is sent, else <see cref="WouldBlock"/> or <see cref="Failed"/>.</returns>
    internal unsafe int TrySendAll(LinuxConnection link, IList<ArraySegment<byte>> buffers, ref int piece, ref int offset)
    {
        IoVector* vectors = stackalloc IoVector[MaxPieces];
        while (piece < buffers.Count)
        {
            int sent = SendPieces(link, buffers, piece, offset, vectors, 0);
            if (sent < 0)
            {
                return sent;
            }

            // After a partial send the next call would block, and only then does the system report when the socket takes more.
            offset += sent;
            while (piece < buffers.Count && offset >= buffers[piece].Count)
            {
                offset -= buffers[piece++].Count;
            }
        }

        return 0;
    }

    private PendingSend Pending(LinuxConnection link) => _pending ??= new PendingSend(link);

    /// <summary>Each call pins one piece in its own stack frame, so that no handle is allocated; the last call sends.</summary>
    private unsafe int SendPieces(
        LinuxConnection link, IList<ArraySegment<byte>> buffers, int piece, int offset, IoVector* vectors, int count)
    {
        if (count == MaxPieces || piece == buffers.Count)
        {
            return TrySend(link, null, count, vectors);
        }

        Span<byte> span = buffers[piece].AsSpan(offset);
        fixed (byte* start = span)
        {
            vectors[count].Start = start;
            vectors[count].Bytes = span.Length;
            return SendPieces(link, buffers, piece + 1, 0, vectors, count + 1);
        }
    }

    /// <summary>The only method that sends: one buffer of <paramref name="count"/> bytes, or as many vectors.</summary>
    private unsafe int TrySend(LinuxConnection link, byte* start, int count, IoVector* vectors)
    {
        nint sent = Failed;
        int error = LinuxErrors.Disposed;
        _call.Enter();
        if (!link.IsDisposed)
        {
            do
            {
                if (vectors is null)
                {
                    sent = Libc.Send(link.Fd, start, count, Libc.NoSignal);
                }
                else
                {
                    var message = new MessageHeader { Vectors = vectors, VectorCount = count };
                    sent = Libc.SendMessage(link.Fd, &message, Libc.NoSignal);
                }

                error = sent < 0 ? Marshal.GetLastPInvokeError() : 0;
            }
            while (error == LinuxErrors.Interrupted);
        }

        if (sent < 0 && error != LinuxErrors.WouldBlock)
        {
            link.SetEnd(LinuxErrors.ToCloseReason(error)); // before the guard is left: see ReceiveHalf.ReceivedNothing
            sent = Failed;
        }

        _call.Leave();
        return (int)sent; // a send that would block returned −1, which is WouldBlock
    }
}
