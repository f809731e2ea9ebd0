namespace PlayChat.Core.Transport;

/// <summary>A link as the stream that <see cref="System.Net.Security.SslStream"/> needs. Owns the link.</summary>
/// <remarks>
/// SslStream computes between two calls of this stream. So a handshake's computing, a millisecond of a signature, is bounded here: after
/// each receive it waits for a turn, which ends with its next call. Established links then find processors that are free.
/// </remarks>
/// <param name="link">The link beneath TLS.</param>
/// <param name="turns">Bounds the handshake, whose start the caller has taken; <see langword="null"/> for no limit.</param>
internal sealed class TransportStream(TransportConnection link, HandshakeTurns? turns = null) : Stream
{
    // What encryption adds to 64 KB: a header, a nonce, a code and padding for each of up to 5 records. It may add more (RFC 8446, 5.2);
    // the writes then take one more send.
    private const int EncryptionBytes = 5 * 256;
    private const int MaxGatheredBytes = (64 * 1024) + EncryptionBytes;

    // RFC 8446, 5.2 and 6: a header of 5 bytes, then the alert's two, one of its type, and the 16 that authenticate them. With padding, or
    // with the cipher suite CCM_8, an alert has another length: the end of such a peer is seen when it closes its socket.
    private const int AlertBytes = 24;

    private static readonly byte[] s_alertHeader = [23, 3, 3, 0, AlertBytes - 5];

    private HandshakeTurns? _turns = turns; // until the handshake is over
    private byte[]? _gathered; // what the send under way has encrypted so far, if it takes several writes
    private int _gatheredBytes;
    private bool _hasStart = turns is not null;
    private bool _hasTurn;

    /// <summary>Set when the handshake is over; it then knows when SslStream waits for the link instead of decrypting.</summary>
    internal DecryptionGate? Gate { get; set; }

    /// <summary>
    /// Whether a read of zero bytes waits until there is something to receive. SslStream makes one before each other read, so that it holds
    /// no buffer meanwhile. Such a wait costs a system call, unless the link knows its readiness.
    /// </summary>
    internal bool WaitsFirst { get; set; }

    /// <summary>
    /// Whether the bytes that were received last end with a record as short as an alert of TLS 1.3, or came with the handshake. SslStream
    /// then may know that the peer has ended, and says so at its next read.
    /// </summary>
    internal bool MayHaveEnded { get; private set; } = true;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (buffer.IsEmpty)
        {
            return WaitsFirst || link.KnowsReadiness ? WaitAsync() : new ValueTask<int>(0);
        }

        if (_turns is { } turns)
        {
            return ReceiveInTurnAsync(buffer, turns);
        }

        ValueTask<int> receive = link.ReceiveAsync(buffer);
        if (Gate is not { } gate)
        {
            return receive;
        }

        return receive.IsCompletedSuccessfully
            ? new ValueTask<int>(NoteEnd(buffer, receive.Result))
            : AwaitOutsideAsync(receive, buffer, gate);
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        EndTurn();
        if (_gathered is { } gathered)
        {
            if (_gatheredBytes + buffer.Length > Math.Min(gathered.Length, MaxGatheredBytes))
            {
                int bytes = _gatheredBytes;
                _gatheredBytes = 0;
                RequireSent(await link.SendAsync(gathered.AsMemory(0, bytes)).ConfigureAwait(false));
            }

            buffer.CopyTo(gathered.AsMemory(_gatheredBytes)); // one write of SslStream always fits
            _gatheredBytes += buffer.Length;
            return;
        }

        RequireSent(await link.SendAsync(buffer).ConfigureAwait(false));
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("Only asynchronous.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("Only asynchronous.");

    public override void Flush()
    {
        // Writes are sent at once, so there is nothing to flush.
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    /// <summary>
    /// Starts gathering writes, so that several of them become one send. Until <see cref="EndGather"/> only one sender writes.
    /// </summary>
    /// <param name="bytes">More than 32 KB: how much it will encrypt. Of more than 64 KB each send carries so much.</param>
    internal void BeginGather(long bytes) =>
        _gathered = ArrayPool<byte>.Shared.Rent((int)Math.Min(bytes + EncryptionBytes, MaxGatheredBytes));

    /// <summary>Sends what was gathered and not sent yet.</summary>
    /// <returns><see langword="false"/> when the link has ended.</returns>
    internal ValueTask<bool> SendGatheredAsync() =>
        _gatheredBytes == 0 ? new ValueTask<bool>(true) : link.SendAsync(_gathered.AsMemory(0, _gatheredBytes));

    /// <summary>Stops gathering, after the last send.</summary>
    internal void EndGather()
    {
        ArrayPool<byte>.Shared.Return(_gathered!);
        _gathered = null;
        _gatheredBytes = 0;
    }

    /// <summary>Ends the turns, because the handshake is over. No read or write is under way.</summary>
    internal void EndTurns()
    {
        EndTurn();
        if (_turns is { } turns)
        {
            EndStart(turns); // it has not computed at all
            _turns = null;
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            link.Dispose();
        }

        base.Dispose(disposing);
    }

    private async ValueTask<int> ReceiveInTurnAsync(Memory<byte> buffer, HandshakeTurns turns)
    {
        EndTurn();
        ValueTask<int> receive = link.ReceiveAsync(buffer);
        if (!receive.IsCompleted)
        {
            EndStart(turns); // others begin while this one waits for its peer
        }

        int received = await receive.ConfigureAwait(false);
        // Not on the transport's thread, which serves other links. A link that has been aborted takes its turn as well and ends with it.
        await Task.Yield();
        await turns.Steps.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        _hasTurn = true;
        return received;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> AwaitOutsideAsync(ValueTask<int> receive, Memory<byte> buffer, DecryptionGate gate)
    {
        gate.Leave();
        int received = await receive.ConfigureAwait(false);
        gate.Enter();
        return NoteEnd(buffer, received);
    }

    private static void RequireSent(bool sent)
    {
        if (!sent)
        {
            throw new IOException("The link has ended.");
        }
    }

    private int NoteEnd(Memory<byte> buffer, int received)
    {
        MayHaveEnded = received >= AlertBytes && buffer.Span[(received - AlertBytes)..].StartsWith(s_alertHeader);
        return received;
    }

    private void EndTurn()
    {
        if (_hasTurn)
        {
            _hasTurn = false;
            _turns!.Steps.Release();
            EndStart(_turns);
        }
    }

    private void EndStart(HandshakeTurns turns)
    {
        if (_hasStart)
        {
            _hasStart = false;
            turns.Starts.Release();
        }
    }

    private ValueTask<int> WaitAsync()
    {
        EndTurn();
        ValueTask wait = link.WaitForDataAsync();
        // Before a receive that was woken it has completed. Without an async method and the gate that receive costs about 6 % less.
        if (!wait.IsCompleted)
        {
            return WaitOutsideAsync(wait);
        }

#pragma warning disable VSTHRD002 // it has completed
        wait.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
        return new ValueTask<int>(0);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> WaitOutsideAsync(ValueTask wait)
    {
        Gate?.Leave();
        await wait.ConfigureAwait(false);
        Gate?.Enter();
        return 0;
    }
}
