using System.Security.Claims;

namespace PlayChat.Core.Transport;

/// <summary>A link over a duplex pipe, whose two halves it completes.</summary>
/// <remarks>
/// <para>
/// A completed output is this side's FIN, and a completed input that of the peer. An abort completes both halves with an exception, so the
/// peer's side of the pipe sees an exception as well, and calls that a reset.
/// </para>
/// <para>Invariant: a half is completed once, either by the operation under way in it or while there is none (<see cref="PipeHalf"/>).
/// </para>
/// </remarks>
/// <param name="pipe">The link owns it.</param>
/// <param name="remote">The peer's address, if there is one.</param>
/// <param name="local">This side's address, if there is one.</param>
/// <param name="abort">
/// Called once by an abort, before the halves are completed: ends a link of another server that a completed pipe would not end, because
/// that server still sends. <see langword="null"/> where completing the pipe is enough.
/// </param>
internal sealed class PipeConnection(IDuplexPipe pipe, EndPoint? remote, EndPoint? local, Action? abort = null) : TransportConnection
{
    // A send flushes after so many bytes, so that the pipe's own threshold bounds what a large send puts in it.
    private const int FlushBytes = 64 * 1024;

    private readonly PipeReader _input = pipe.Input;
    private readonly PipeWriter _output = pipe.Output;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private PipeHalf _receiving;
    private PipeHalf _sending;
    private int _unflushed; // the sending operation's
    private int _openHalves = 2;
    private int _endReason;
    private int _isAborted;

    public override EndPoint? RemoteEndPoint => remote;

    public override EndPoint? LocalEndPoint => local;

    public override CloseReason EndReason => (CloseReason)Volatile.Read(ref _endReason);

    public override bool KnowsReadiness => true;

    internal override X509Certificate2? PeerCertificate => Certificate;

    internal override ClaimsPrincipal? User => Principal;

    internal X509Certificate2? Certificate { get; init; }

    internal ClaimsPrincipal? Principal { get; init; }

    /// <summary>Completes when both halves of the pipe are completed. Never faults.</summary>
    internal Task Ended => _ended.Task;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public override async ValueTask WaitForDataAsync()
    {
        if (!_receiving.TryBegin())
        {
            return;
        }

        try
        {
            ReadResult result = await ReadAsync().ConfigureAwait(false);
            _input.AdvanceTo(result.Buffer.Start); // nothing is examined, so the next read completes at once
        }
        catch (Exception e)
        {
            OnFault(e, ref _receiving);
        }
        finally
        {
            EndReceive();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        if (!_receiving.TryBegin())
        {
            return 0;
        }

        int received = 0;
        try
        {
            ReadResult result = await ReadAsync().ConfigureAwait(false);
            if (!_receiving.IsFinished)
            {
                received = (int)Math.Min(result.Buffer.Length, buffer.Length);
                result.Buffer.Slice(0, received).CopyTo(buffer.Span);
                if (received == 0)
                {
                    SetEnd(CloseReason.PeerClosed);
                }
            }

            _input.AdvanceTo(result.Buffer.GetPosition(received));
        }
        catch (Exception e)
        {
            OnFault(e, ref _receiving);
            received = 0;
        }
        finally
        {
            EndReceive();
        }

        return received;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        if (!_sending.TryBegin())
        {
            return false;
        }

        try
        {
            return await WriteAsync(buffer).ConfigureAwait(false) && await FlushAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            OnFault(e, ref _sending);
            return false;
        }
        finally
        {
            EndSend();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        if (!_sending.TryBegin())
        {
            return false;
        }

        try
        {
            for (int i = 0; i < buffers.Count; i++)
            {
                if (!await WriteAsync(buffers[i]).ConfigureAwait(false))
                {
                    return false;
                }
            }

            return await FlushAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            OnFault(e, ref _sending);
            return false;
        }
        finally
        {
            EndSend();
        }
    }

    public override void Shutdown()
    {
        if (_sending.TryFinish())
        {
            _ = CompleteAsync(_output.CompleteAsync, null);
        }
    }

    public override void Abort()
    {
        SetEnd(CloseReason.LocalClose);
        if (abort is not null && !_ended.Task.IsCompleted && Interlocked.Exchange(ref _isAborted, 1) == 0)
        {
            abort();
        }

        if (_receiving.TryFinish())
        {
            _ = CompleteAsync(_input.CompleteAsync, WasReset());
        }
        else
        {
            Cancel(_input.CancelPendingRead); // the receive under way completes the input
        }

        if (_sending.TryFinish())
        {
            _ = CompleteAsync(_output.CompleteAsync, WasReset());
        }
        else
        {
            Cancel(_output.CancelPendingFlush);
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (!disposing)
        {
            return;
        }

        // Not through Abort: a link that both sides have finished needs no reset.
        SetEnd(CloseReason.LocalClose);
        if (_receiving.TryFinish())
        {
            _ = CompleteAsync(_input.CompleteAsync, null);
        }

        if (_sending.TryFinish())
        {
            _ = CompleteAsync(_output.CompleteAsync, null);
        }
    }

    private static void Cancel(Action cancel)
    {
        try
        {
            cancel();
        }
        catch (ObjectDisposedException)
        {
            // The half was completed before or meanwhile. A pipe over a stream then throws, where others do nothing.
        }
    }

    private static IOException WasReset() => new("The link was reset.");

    /// <summary>Says why a link ended whose pipe threw an exception, in the way of sockets.</summary>
    internal static CloseReason ToCloseReason(Exception exception)
    {
        // Servers with connections as pipes, such as Kestrel, throw an IOException for a reset, often with the socket's own exception in
        // it, and an OperationCanceledException when they abort the connection themselves.
        if ((exception as SocketException ?? exception.InnerException) is SocketException socket)
        {
            return SocketErrors.ToCloseReason(socket.SocketErrorCode);
        }

        return exception switch
        {
            IOException => CloseReason.PeerReset,
            OperationCanceledException or ObjectDisposedException => CloseReason.LocalClose,
            _ => CloseReason.TransportFault,
        };
    }

    /// <summary>Reads until there are bytes, or the end, or the link was aborted.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ReadResult> ReadAsync()
    {
        while (true)
        {
            ReadResult result = await _input.ReadAsync().ConfigureAwait(false);
            if (!result.Buffer.IsEmpty || result.IsCompleted || _receiving.IsFinished)
            {
                return result;
            }

            _input.AdvanceTo(result.Buffer.End); // other code has cancelled the read
        }
    }

    /// <summary>Writes bytes, and flushes those that fill <see cref="FlushBytes"/>.</summary>
    /// <returns><see langword="false"/> when the link has ended.</returns>
    private async ValueTask<bool> WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            int count = Math.Min(bytes.Length, FlushBytes - _unflushed);
            _output.Write(bytes.Span[..count]);
            bytes = bytes[count..];
            _unflushed += count;
            if (_unflushed == FlushBytes && !await FlushAsync().ConfigureAwait(false))
            {
                return false;
            }
        }

        return true;
    }

    private async ValueTask<bool> FlushAsync()
    {
        _unflushed = 0;
        FlushResult result;
        do
        {
            result = await _output.FlushAsync().ConfigureAwait(false);
        }
        while (result.IsCanceled && !_sending.IsFinished); // other code has cancelled the flush

        if (_sending.IsFinished)
        {
            return false;
        }

        if (result.IsCompleted)
        {
            SetEnd(CloseReason.PeerReset); // the peer's side reads no more
        }

        return !result.IsCompleted;
    }

    private void OnFault(Exception exception, ref PipeHalf half)
    {
        SetEnd(ToCloseReason(exception));
        half.TryFinish(); // the end of the operation completes the half
    }

    // The half of an operation that was under way was finished by an abort or by a fault.
    private void EndReceive()
    {
        if (_receiving.End())
        {
            _ = CompleteAsync(_input.CompleteAsync, WasReset());
        }
    }

    private void EndSend()
    {
        if (_sending.End())
        {
            _ = CompleteAsync(_output.CompleteAsync, WasReset());
        }
    }

    private async Task CompleteAsync(Func<Exception?, ValueTask> complete, Exception? exception)
    {
        try
        {
            await complete(exception).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            SetEnd(ToCloseReason(e)); // a pipe over a stream that is broken
        }

        if (Interlocked.Decrement(ref _openHalves) == 0)
        {
            _ended.TrySetResult();
        }
    }

    /// <summary>Notes why the link ended; the first reason stays.</summary>
    private void SetEnd(CloseReason reason) =>
        Interlocked.CompareExchange(ref _endReason, (int)reason, (int)CloseReason.None);
}
