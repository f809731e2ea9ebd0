using System.Diagnostics;

namespace PlayChat.Connector;

/// <summary>How a link ended, or is about to.</summary>
/// <param name="Reason">As the server has said, or as this side has seen it.</param>
/// <param name="Message">The server's sentence for a person.</param>
/// <param name="ReturnAfter">How long the server asked to wait before the next connection; zero when it did not ask for a return.</param>
internal sealed record LinkEnd(CloseReason Reason, string? Message = null, TimeSpan ReturnAfter = default);

/// <summary>One connection from open to end. It ends once, for the first reason that is found. Thread-safe.</summary>
/// <remarks>
/// Invariants, under <c>_gate</c>: at most one thread sends, while <c>_isSending</c>; <c>_queuedBytes</c> is the length of what is in
/// <c>_queue</c>; <c>_end</c> is set once. Only the receive loop receives, and it calls <c>onPacket</c> for one packet at a time.
/// </remarks>
#pragma warning disable CA1001 // Abort frees the timer; the source has no timer and no handle, and its token outlives the link
internal sealed class Link
{
    private const int MaxBatchBytes = 64 * 1024;
    private static readonly TimeSpan s_maxAdvice = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_closeTimeout = TimeSpan.FromSeconds(2);

    private readonly object _gate = new();
    private readonly Queue<byte[]> _queue = new();
    private readonly TaskCompletionSource<LinkEnd> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _aborted = new();
    private readonly Wire _wire;
    private readonly ClientOptions _options;
    private readonly PacketCodec _codec;
    private readonly Func<Link, Packet, Task> _onPacket;
    private readonly Timer? _probe;
    private int _queuedBytes;
    private bool _isSending;
    private bool _isClosing;
    private LinkEnd? _end;
    private CloseReason _told;
    private LinkEnd? _farewell;
    private long _framesReceived;
    private long _heardAt = Now;
    private long _askedAt = -1; // since then nothing was heard
    private bool _isHandling;

    /// <param name="wire">Owned from now on.</param>
    /// <param name="options">Bounds and times.</param>
    /// <param name="onPacket">Gets what is no heartbeat, in order. While its task runs, nothing more is received.</param>
    internal Link(Wire wire, ClientOptions options, Func<Link, Packet, Task> onPacket)
    {
        _wire = wire;
        _options = options;
        _codec = new PacketCodec(options.MaxFrameBytes, options.MaxFrameBytes);
        _onPacket = onPacket;
        if (options.KeepAlive != Timeout.InfiniteTimeSpan)
        {
            _probe = new Timer(static link => ((Link)link!).Probe(), this, options.KeepAlive, Timeout.InfiniteTimeSpan);
        }

        _ = Task.Run(ReceiveAsync);
    }

    /// <summary>Completes with the end, when nothing more is received. Never faults.</summary>
    internal Task<LinkEnd> Ended => _ended.Task;

    /// <summary>Is cancelled with the end.</summary>
    internal CancellationToken Aborted => _aborted.Token;

    /// <summary>What the server has announced, also before the end.</summary>
    internal LinkEnd? Farewell => Volatile.Read(ref _farewell);

    /// <summary>Why it has ended; <see cref="CloseReason.None"/> while it has not.</summary>
    internal CloseReason EndReason => Volatile.Read(ref _end)?.Reason ?? CloseReason.None;

    /// <summary>How many packets came, heartbeats left out: proto/PROTOCOL.md, "Heartbeat packet".</summary>
    internal long FramesReceived => Interlocked.Read(ref _framesReceived);

    private static long Now => Stopwatch.GetTimestamp() / (Stopwatch.Frequency / 1000);

    private bool IsFull => _queuedBytes > _options.MaxOutboundBytes;

    /// <summary>Whether a request may be sent: no more waits than may.</summary>
    internal bool HasRoom
    {
        get
        {
            lock (_gate)
            {
                return !IsFull;
            }
        }
    }

    /// <summary>Queues a packet. Never waits.</summary>
    /// <returns><see langword="false"/> when it will not go out: the link has ended or is ending, or too much waits.</returns>
    internal bool Send(byte[] frame, bool evenIfFull = false)
    {
        lock (_gate)
        {
            if (_end is not null || _isClosing || (IsFull && !evenIfFull))
            {
                return false;
            }

            _queue.Enqueue(frame);
            _queuedBytes += frame.Length;
            if (_isSending)
            {
                return true;
            }

            _isSending = true;
        }

        _ = SendQueuedAsync();
        return true;
    }

    /// <summary>The server has said why it is about to close.</summary>
    internal void ExpectClose(CloseReason reason, string? message, TimeSpan returnAfter)
    {
        TimeSpan advice = reason == CloseReason.ServerShutdown && returnAfter > TimeSpan.Zero ? returnAfter : TimeSpan.Zero;
        Volatile.Write(ref _farewell, new LinkEnd(reason, message, advice < s_maxAdvice ? advice : s_maxAdvice));
    }

    /// <summary>Sends what is queued, then closes; a server that does not answer that is not waited for.</summary>
    internal async Task CloseAsync()
    {
        bool isIdle;
        lock (_gate)
        {
            isIdle = !_isClosing && !_isSending;
            _isClosing = true;
            _isSending |= isIdle;
        }

        if (isIdle)
        {
            _ = SendQueuedAsync();
        }

        if (await Task.WhenAny(Ended, Task.Delay(s_closeTimeout)).ConfigureAwait(false) != Ended)
        {
            Abort(CloseReason.LocalClose);
        }
    }

    internal void Abort(CloseReason reason, string? message = null)
    {
        lock (_gate)
        {
            if (_end is not null)
            {
                return;
            }

            LinkEnd end = new(_isClosing ? CloseReason.LocalClose : _told != CloseReason.None ? _told : reason, message);
            _end = _farewell is not { } farewell ? end
                : farewell.Reason == CloseReason.None ? farewell with { Reason = end.Reason }
                : farewell;
            _queue.Clear();
        }

        _probe?.Dispose();
        _wire.Dispose(); // ends the receive under way
        _ = Task.Run(_aborted.Cancel); // not on this thread: what waits for it may be what called
    }

    private async Task ReceiveAsync()
    {
        byte[] buffer = new byte[8 * 1024];
        int filled = 0;
        try
        {
            while (true)
            {
                int received =
                    await _wire.ReceiveAsync(new ArraySegment<byte>(buffer, filled, buffer.Length - filled)).ConfigureAwait(false);
                if (received == 0)
                {
                    Abort(_wire.EndReason, _wire.EndMessage);
                    return;
                }

                Hear();
                filled += received;
                int at = 0;
                DecodeStatus status;
                while ((status = Frames.TryDecode(_codec, buffer, ref at, filled, out Packet packet)) == DecodeStatus.Frame)
                {
                    Task handling = TakeAsync(packet);
                    if (!handling.IsCompleted)
                    {
                        Volatile.Write(ref _isHandling, true);
                        await Task.WhenAny(handling, Task.Delay(Timeout.Infinite, Aborted)).ConfigureAwait(false);
                        Volatile.Write(ref _isHandling, false);
                    }

                    if (Aborted.IsCancellationRequested)
                    {
                        return;
                    }
                }

                if (status != DecodeStatus.NeedMoreData)
                {
                    Abort(status == DecodeStatus.TooLarge ? CloseReason.FrameTooLarge : CloseReason.ProtocolViolation);
                    return;
                }

                filled -= at;
                byte[] next = filled == buffer.Length ? new byte[2 * buffer.Length] : buffer; // the frame's length is within the limit
                Buffer.BlockCopy(buffer, at, next, 0, filled);
                buffer = next;
            }
        }
        catch (Exception e) when (Wire.IsLinkFault(e))
        {
            Abort(CloseReason.PeerReset);
        }
        finally
        {
            Abort(CloseReason.TransportFault); // for a fault of our own; else it has ended
            _ended.SetResult(_end!);
        }
    }

    private Task TakeAsync(Packet packet)
    {
        if (packet.Id != PacketIds.Heartbeat)
        {
            Interlocked.Increment(ref _framesReceived);
            return _onPacket(this, packet);
        }

        if (packet.RequestId != 0)
        {
            Send(Frames.Heartbeat(requestId: 0), evenIfFull: true);
        }
        else if (packet.Body.Length >= sizeof(ushort)) // proto/PROTOCOL.md, "Close notice"
        {
            _told = CloseCodes.ReasonOf((packet.Body[0] << 8) | packet.Body[1]);
        }

        return Task.CompletedTask;
    }

    private async Task SendQueuedAsync()
    {
        try
        {
            while (TakeBatch() is { } batch)
            {
                await _wire.SendAsync(batch).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (Wire.IsLinkFault(e))
        {
            return; // the receive loop finds the end; until then nothing more is sent
        }

        if (_isClosing)
        {
            try
            {
                await _wire.ShutdownAsync().ConfigureAwait(false);
            }
            catch (Exception e) when (Wire.IsLinkFault(e))
            {
                Abort(CloseReason.LocalClose);
            }
        }
    }

    /// <returns><see langword="null"/> when nothing waits: this thread sends no more then.</returns>
    private ArraySegment<byte>? TakeBatch()
    {
        lock (_gate)
        {
            if (_queue.Count == 0)
            {
                _isSending = _isClosing; // behind the end nothing is sent
                return null;
            }

            byte[] batch = _queue.Dequeue();
            if (_queue.Count > 0)
            {
                var gathered = new List<byte>(Math.Min(_queuedBytes, 2 * MaxBatchBytes));
                gathered.AddRange(batch);
                while (_queue.Count > 0 && gathered.Count < MaxBatchBytes)
                {
                    gathered.AddRange(_queue.Dequeue());
                }

                batch = gathered.ToArray();
            }

            _queuedBytes -= batch.Length;
            return new ArraySegment<byte>(batch);
        }
    }

    private void Hear()
    {
        Interlocked.Exchange(ref _heardAt, Now);
        Interlocked.Exchange(ref _askedAt, -1);
    }

    private void Probe()
    {
        if (Volatile.Read(ref _isHandling))
        {
            Hear(); // what the server sends waits, because handlers are late: that is no silence
        }

        long period = (long)_options.KeepAlive.TotalMilliseconds;
        long askedAt = Interlocked.Read(ref _askedAt);
        long silent = Now - (askedAt >= 0 ? askedAt : Interlocked.Read(ref _heardAt));
        long wait = period;
        // A timer that is late has slept with the machine. What the server sent meanwhile may not have been received yet, so ask again.
        if (askedAt >= 0 && silent >= period && silent < 2 * period)
        {
            Abort(CloseReason.IdleTimeout);
            return;
        }

        if (silent >= period)
        {
            Interlocked.Exchange(ref _askedAt, Now);
            Send(Frames.Heartbeat(requestId: 1), evenIfFull: true);
        }
        else
        {
            wait = period - silent;
        }

        try
        {
            _probe?.Change(wait, Timeout.Infinite);
        }
        catch (ObjectDisposedException)
        {
            // the link has ended meanwhile
        }
    }
}
