using System.Security.Claims;

namespace PlayChat.Core.Transport;

/// <summary>A link over a stream that another server has upgraded, such as the stream of a WebSocket under Kestrel.</summary>
/// <remarks>
/// <para>
/// A zero-byte read waits for data without a buffer, and each send is one write: Kestrel flushes every write, so the pieces of a gathered
/// send are copied together first. A stream has no FIN. The peer sees the end when the link is disposed and its owner ends the stream.
/// </para>
/// <para>Invariant: <c>abort</c> is called at most once, under the lock, and never after the disposal: Kestrel reuses the objects of a
/// request that has ended for the next one. It only sets flags there and queues the rest.</para>
/// </remarks>
/// <param name="stream">Read and written until the link is disposed; the owner ends it afterwards.</param>
/// <param name="abort">Ends the stream at once, so that operations under way end.</param>
internal sealed class StreamConnection(Stream stream, Action abort) : TransportConnection
{
    // The pieces of a gathered send are copied together up to this, which is Kestrel's own bound of unsent bytes.
    private const int MaxCopiedBytes = 64 * 1024;

    private readonly object _gate = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isOver; // aborted or disposed; guarded by _gate
    private volatile bool _isShutdown;
    private int _endReason;

    public override EndPoint? RemoteEndPoint => Remote;

    public override EndPoint? LocalEndPoint => Local;

    public override CloseReason EndReason => (CloseReason)Volatile.Read(ref _endReason);

    public override bool KnowsReadiness => true;

    internal override X509Certificate2? PeerCertificate => Certificate;

    internal override ClaimsPrincipal? User => Principal;

    internal EndPoint? Remote { get; init; }

    internal EndPoint? Local { get; init; }

    internal X509Certificate2? Certificate { get; init; }

    internal ClaimsPrincipal? Principal { get; init; }

    /// <summary>Completes when the link is disposed, so that nothing uses the stream any more. Never faults.</summary>
    internal Task Ended => _ended.Task;

    private bool HasEnded => EndReason != CloseReason.None;

    public override ValueTask WaitForDataAsync()
    {
        if (HasEnded)
        {
            return ValueTask.CompletedTask;
        }

        ValueTask<int> read;
        try
        {
            read = stream.ReadAsync(Memory<byte>.Empty);
        }
        catch (Exception e)
        {
            SetEnd(PipeConnection.ToCloseReason(e));
            return ValueTask.CompletedTask;
        }

        return read.IsCompletedSuccessfully ? Complete(read) : WaitSlowlyAsync(read);
    }

    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        if (HasEnded)
        {
            return new ValueTask<int>(0);
        }

        ValueTask<int> read;
        try
        {
            read = stream.ReadAsync(buffer);
        }
        catch (Exception e)
        {
            SetEnd(PipeConnection.ToCloseReason(e));
            return new ValueTask<int>(0);
        }

        return read.IsCompletedSuccessfully ? new ValueTask<int>(OnReceived(read.Result)) : ReceiveSlowlyAsync(read);
    }

    public override ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        // A peer that sends no more may still receive: a close frame is answered by one.
        if (_isShutdown || EndReason is not (CloseReason.None or CloseReason.PeerClosed))
        {
            return new ValueTask<bool>(false);
        }

        ValueTask write;
        try
        {
            write = stream.WriteAsync(buffer);
        }
        catch (Exception e)
        {
            SetEnd(PipeConnection.ToCloseReason(e));
            return new ValueTask<bool>(false);
        }

        if (!write.IsCompletedSuccessfully)
        {
            return SendSlowlyAsync(write);
        }

        write.GetAwaiter().GetResult(); // a pooled task must be asked for its result once
        return new ValueTask<bool>(true);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        long left = 0;
        for (int i = 0; i < buffers.Count; i++)
        {
            left += buffers[i].Count;
        }

        byte[] block = ArrayPool<byte>.Shared.Rent((int)Math.Min(left, MaxCopiedBytes));
        try
        {
            int filled = 0;
            for (int i = 0; i < buffers.Count; i++)
            {
                ReadOnlyMemory<byte> piece = buffers[i];
                while (!piece.IsEmpty)
                {
                    int copied = Math.Min(piece.Length, block.Length - filled);
                    piece.Span[..copied].CopyTo(block.AsSpan(filled));
                    piece = piece[copied..];
                    filled += copied;
                    if (filled == block.Length)
                    {
                        if (!await SendAsync(block).ConfigureAwait(false))
                        {
                            return false;
                        }

                        filled = 0;
                    }
                }
            }

            return filled == 0 || await SendAsync(block.AsMemory(0, filled)).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(block);
        }
    }

    public override void Shutdown() => _isShutdown = true;

    public override void Abort()
    {
        SetEnd(CloseReason.LocalClose);
        lock (_gate)
        {
            if (!_isOver)
            {
                _isOver = true;
                abort();
            }
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (!disposing)
        {
            return;
        }

        SetEnd(CloseReason.LocalClose);
        lock (_gate)
        {
            _isOver = true;
        }

        _ended.TrySetResult();
    }

    private static ValueTask Complete(ValueTask<int> read)
    {
        _ = read.Result;
        return ValueTask.CompletedTask;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask WaitSlowlyAsync(ValueTask<int> read)
    {
        try
        {
            await read.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            SetEnd(PipeConnection.ToCloseReason(e));
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> ReceiveSlowlyAsync(ValueTask<int> read)
    {
        try
        {
            return OnReceived(await read.ConfigureAwait(false));
        }
        catch (Exception e)
        {
            SetEnd(PipeConnection.ToCloseReason(e));
            return 0;
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> SendSlowlyAsync(ValueTask write)
    {
        try
        {
            await write.ConfigureAwait(false);
            return true;
        }
        catch (Exception e)
        {
            SetEnd(PipeConnection.ToCloseReason(e));
            return false;
        }
    }

    private int OnReceived(int received)
    {
        if (received == 0)
        {
            SetEnd(CloseReason.PeerClosed);
        }

        return received;
    }

    /// <summary>Notes why the link ended; the first reason stays.</summary>
    private void SetEnd(CloseReason reason) =>
        Interlocked.CompareExchange(ref _endReason, (int)reason, (int)CloseReason.None);
}
