namespace PlayChat.Testing;

/// <summary>One direction of a link: bytes that are under way, then bytes that can be received, then the end. One reader, one writer.
/// Thread-safe.</summary>
/// <remarks>
/// <para>The end travels as bytes do: behind them, and with the same latency.</para>
/// <para>
/// Not a <c>System.IO.Pipelines.Pipe</c>: its reader sees bytes as soon as they are flushed and only flushed bytes count toward its
/// threshold, so latency would need this queue, its bound and its timers in front of it all the same.
/// </para>
/// </remarks>
internal sealed class InMemoryPipe
{
    private static readonly TimeSpan s_shortestWait = TimeSpan.FromMilliseconds(1);

    private readonly object _gate = new();
    private readonly LinkConditions _conditions;
    private readonly int _capacity;
    private readonly TimeProvider _time;
    private readonly LinkActivity _activity;
    private readonly Random _random;
    private readonly Queue<(long Due, int Bytes)> _flying = new();
    private byte[] _buffer = []; // a ring
    private int _head;
    private int _count; // what is under way included
    private int _arrived;
    private long _lastDue;
    private ITimer? _timer;
    private End _end;
    private bool _endArrived;
    private bool _readerGone;
    private bool _readerActive;
    private bool _readerDisposed;
    private TaskCompletionSource? _reading;
    private TaskCompletionSource<bool>? _writing;

    internal InMemoryPipe(LinkConditions conditions, int capacity, int seed, TimeProvider time, LinkActivity activity)
    {
        _conditions = conditions;
        _capacity = capacity;
        _time = time;
        _activity = activity;
        _random = new Random(seed);
        SetReaderActive(true);
    }

    private enum End
    {
        None,
        Finished,
        Reset,
    }

    /// <summary>Called when a reset has reached the reader.</summary>
    internal Action? ResetArrived { get; set; }

    /// <summary>Writes all bytes; completes when the pipe has room for more.</summary>
    /// <returns><see langword="false"/> when the other end will not read it.</returns>
    internal ValueTask<bool> WriteAsync(ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            if (_end != End.None || _readerGone)
            {
                return new ValueTask<bool>(false);
            }

            Append(bytes);
            if (Delay() is { Ticks: > 0 } delay)
            {
                _flying.Enqueue((DueIn(delay), bytes.Length));
                Arm(_time.GetTimestamp());
            }
            else
            {
                _arrived += bytes.Length;
                WakeReader();
            }

            if (_count <= _capacity)
            {
                return new ValueTask<bool>(true);
            }

            _writing = new TaskCompletionSource<bool>(); // completed on the thread pool, see WakeWriter
            return new ValueTask<bool>(_writing.Task);
        }
    }

    /// <summary>Takes what has arrived.</summary>
    /// <param name="destination">Not empty.</param>
    /// <param name="ended">Whether nothing will come any more.</param>
    /// <returns>How many bytes; 0 when there are none, or no more.</returns>
    internal int TryRead(Span<byte> destination, out bool ended)
    {
        lock (_gate)
        {
            int bytes = Math.Min(Math.Min(_arrived, destination.Length), _conditions.MaxReceiveBytes);
            int untilWrap = Math.Min(bytes, _buffer.Length - _head);
            _buffer.AsSpan(_head, untilWrap).CopyTo(destination);
            _buffer.AsSpan(0, bytes - untilWrap).CopyTo(destination[untilWrap..]);
            _head = _buffer.Length == 0 ? 0 : (_head + bytes) % _buffer.Length;
            _arrived -= bytes;
            _count -= bytes;
            ended = bytes == 0 && (_endArrived || _readerGone);
            if (_writing is not null && _count <= _capacity / 2)
            {
                WakeWriter(true);
            }

            return bytes;
        }
    }

    /// <summary>Completes when something has arrived, the end included.</summary>
    internal Task WaitAsync()
    {
        lock (_gate)
        {
            if (_arrived > 0 || _endArrived || _readerGone)
            {
                return Task.CompletedTask;
            }

            _reading ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            SetReaderActive(false);
            return _reading.Task;
        }
    }

    /// <summary>Nothing more will be written; the reader learns of it behind what was written.</summary>
    internal void Finish() => Finish(End.Finished);

    /// <summary>The same, and what the reader has not read by then is lost.</summary>
    internal void Reset() => Finish(End.Reset);

    /// <summary>Nothing more will be read, and what is there is dropped.</summary>
    /// <param name="dispose">Whether the reader's end is not even waiting any more.</param>
    internal void CloseReader(bool dispose)
    {
        lock (_gate)
        {
            _readerGone = true;
            _readerDisposed |= dispose;
            _arrived = 0;
            _count = 0;
            _flying.Clear();
            WakeWriter(false);
            WakeReader();
            SetReaderActive(!_readerDisposed);
        }
    }

    private void Finish(End end)
    {
        lock (_gate)
        {
            if (end <= _end)
            {
                return;
            }

            _end = end;
            WakeWriter(false);
            if (Delay() is { Ticks: > 0 } delay)
            {
                _endArrived = false; // a reset behind an end that has arrived arrives as well
                DueIn(delay);
                Arm(_time.GetTimestamp());
                return;
            }
        }

        ArriveEnd(end);
    }

    private void OnTimer()
    {
        End end = End.None;
        lock (_gate)
        {
            long now = _time.GetTimestamp();
            int before = _arrived;
            while (_flying.TryPeek(out (long Due, int Bytes) next) && next.Due <= now)
            {
                _arrived += _flying.Dequeue().Bytes;
            }

            if (_arrived > before)
            {
                WakeReader();
            }

            if (_flying.Count == 0 && _end != End.None && !_endArrived && _lastDue <= now)
            {
                end = _end;
            }
            else
            {
                Arm(now, _arrived == before ? s_shortestWait : TimeSpan.Zero); // timers of the system may be early by less than that
            }
        }

        if (end != End.None)
        {
            ArriveEnd(end);
        }
    }

    private void ArriveEnd(End end)
    {
        if (end == End.Reset)
        {
            ResetArrived?.Invoke(); // before the reader resumes, so that it finds the close reason
        }

        lock (_gate)
        {
            _endArrived = true;
            WakeReader();
        }
    }

    private TimeSpan Delay()
    {
        TimeSpan delay = _conditions.Latency;
        if (_conditions.Jitter > TimeSpan.Zero)
        {
            delay += TimeSpan.FromTicks(_random.NextInt64(_conditions.Jitter.Ticks + 1));
        }

        // Behind what is under way, even when this would take no time.
        return delay == TimeSpan.Zero && _flying.Count > 0 ? TimeSpan.FromTicks(1) : delay;
    }

    private long DueIn(TimeSpan delay) =>
        _lastDue =
            Math.Max(_lastDue, _time.GetTimestamp() + (long)(delay.Ticks * ((double)_time.TimestampFrequency / TimeSpan.TicksPerSecond)));

    private void Arm(long now, TimeSpan atLeast = default)
    {
        bool waitsForEnd = _end != End.None && !_endArrived;
        if (_flying.Count == 0 && !waitsForEnd)
        {
            return;
        }

        TimeSpan wait = _time.GetElapsedTime(now, _flying.TryPeek(out (long Due, int Bytes) next) ? next.Due : _lastDue);
        wait = wait < atLeast ? atLeast : wait;
        _timer ??= _time.CreateTimer(static pipe =>
            ((InMemoryPipe)pipe!).OnTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(wait, Timeout.InfiniteTimeSpan);
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        if (_count + bytes.Length > _buffer.Length)
        {
            byte[] larger = new byte[Math.Max(Math.Max(1024, _buffer.Length * 2), _count + bytes.Length)];
            int untilWrap = Math.Min(_count, _buffer.Length - _head);
            _buffer.AsSpan(_head, untilWrap).CopyTo(larger);
            _buffer.AsSpan(0, _count - untilWrap).CopyTo(larger.AsSpan(untilWrap));
            _buffer = larger;
            _head = 0;
        }

        int tail = _buffer.Length == 0 ? 0 : (_head + _count) % _buffer.Length;
        int first = Math.Min(bytes.Length, _buffer.Length - tail);
        bytes[..first].CopyTo(_buffer.AsSpan(tail));
        bytes[first..].CopyTo(_buffer);
        _count += bytes.Length;
    }

    private void WakeReader()
    {
        if (_reading is { } reading)
        {
            _reading = null;
            SetReaderActive(true);
            reading.SetResult();
        }
    }

    private void WakeWriter(bool taken)
    {
        if (_writing is not { } writing)
        {
            return;
        }

        _writing = null;
        // The sender's continuation runs inside SetResult, so the link is not idle until the sender waits again.
        _activity.Begin();
        ThreadPool.UnsafeQueueUserWorkItem(
            static state =>
            {
                state.writing.SetResult(state.taken);
                state._activity.End();
            },
            (writing, taken, _activity),
            preferLocal: false);
    }

    private void SetReaderActive(bool active)
    {
        if (_readerActive == active)
        {
            return;
        }

        _readerActive = active;
        if (active)
        {
            _activity.Begin();
        }
        else
        {
            _activity.End();
        }
    }
}
