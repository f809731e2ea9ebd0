namespace PlayChat.Benchmark.Baselines;

/// <summary>A connection of a baseline server, and what others broadcast to it.</summary>
internal abstract class BaselineMember(BaselineCounters counters)
{
    private readonly Outbox _outbox = new();

    protected BaselineCounters Counters { get; } = counters;

    /// <summary>Delivers frames in the room's order. Called under the room's lock.</summary>
    public void Deliver(ReadOnlyMemory<byte> frames)
    {
        if (!_outbox.TryAppend(frames.Span))
        {
            Counters.OnSlowConsumer();
            Close();
        }
    }

    /// <summary>Sends what was delivered, outside the lock. The first thread that flushes also sends what arrives meanwhile.</summary>
    public async Task FlushAsync()
    {
        try
        {
            for (bool isFirst = true; _outbox.TryTake(isFirst, out ReadOnlyMemory<byte> block); isFirst = false)
            {
                await SendAsync(block);
            }
        }
        catch (Exception e) when (IsEnd(e))
        {
            if (e is SocketException { SocketErrorCode: SocketError.TimedOut })
            {
                Counters.OnSlowConsumer();
            }

            Close(); // the receive loop ends as well
        }
    }

    public abstract void Close();

    protected abstract ValueTask SendAsync(ReadOnlyMemory<byte> bytes);

    /// <summary>Whether the peer disconnected or sent what is no packet, or the server stops.</summary>
    public static bool IsEnd(Exception exception) =>
        exception is SocketException or IOException or OperationCanceledException or InvalidOperationException;
}

/// <summary>What the connections of a baseline server share: framing, rooms and counters. Thread-safe.</summary>
internal sealed class BaselineHub
{
    private readonly BaselineRoom[] _rooms;
    private int _accepted;

    public BaselineHub(BaselineSettings settings)
    {
        bool hasRooms = settings.Mode == BaselineMode.Broadcast;
        Framing = new BaselineFraming(hasShortLength: hasRooms);
        _rooms = [.. Enumerable.Range(0, hasRooms ? settings.Rooms : 0).Select(_ => new BaselineRoom(Counters))];
    }

    public BaselineFraming Framing { get; }

    public BaselineCounters Counters { get; } = new();

    /// <returns>Its room; <see langword="null"/> in a mode without rooms.</returns>
    public BaselineRoom? Enter(BaselineMember member)
    {
        BaselineRoom? room = _rooms.Length == 0 ? null : _rooms[Interlocked.Increment(ref _accepted) % _rooms.Length];
        room?.Enter(member);
        Counters.OnAccepted(); // last: a member that is counted hears what is broadcast from then on
        return room;
    }

    public void Leave(BaselineMember member, BaselineRoom? room)
    {
        room?.Leave(member);
        Counters.OnClosed();
    }
}

/// <summary>Connections that hear each other. Deliveries have one order for all members, as PlayChat's rooms have. Thread-safe.</summary>
internal sealed class BaselineRoom(BaselineCounters counters)
{
    private readonly object _gate = new();
    private BaselineMember[] _members = []; // replaced under _gate, never changed

    public void Enter(BaselineMember member)
    {
        lock (_gate)
        {
            _members = [.. _members, member];
        }
    }

    public void Leave(BaselineMember member)
    {
        lock (_gate)
        {
            _members = _members.Where(other => other != member).ToArray();
        }
    }

    /// <summary>Passes all frames of one read on to every member: one copy and one send a member, however many frames there are.</summary>
    public void Broadcast(ReadOnlyMemory<byte> whole, int frames)
    {
        BaselineMember[] members;
        lock (_gate)
        {
            members = _members;
            foreach (BaselineMember member in members)
            {
                member.Deliver(whole);
            }
        }

        counters.OnDelivered((long)frames * members.Length);
        foreach (BaselineMember member in members)
        {
            _ = member.FlushAsync();
        }
    }
}

/// <summary>Gathers the bytes that wait for one connection, so that one send takes all that came meanwhile. Thread-safe.</summary>
internal sealed class Outbox
{
    /// <summary>The most bytes that wait, as PlayChat's default. A connection that reads more slowly is closed.</summary>
    public const int MaxBytes = 1024 * 1024;

    private const int FirstBytes = 4096;

    private readonly object _gate = new();
    private byte[] _pending = [];
    private byte[] _sending = [];
    private int _bytes;
    private bool _isSending;

    /// <returns>False when they do not fit.</returns>
    public bool TryAppend(ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            int needed = _bytes + bytes.Length;
            if (needed > MaxBytes)
            {
                return false;
            }

            if (needed > _pending.Length)
            {
                Array.Resize(ref _pending, Math.Max(Math.Max(needed, 2 * _pending.Length), FirstBytes));
            }

            bytes.CopyTo(_pending.AsSpan(_bytes));
            _bytes = needed;
            return true;
        }
    }

    /// <summary>Takes what waits, to send it: the first block, or the next after one was sent.</summary>
    /// <param name="block">All that waited; valid until the next call.</param>
    /// <returns>False when nothing waits, so the sending has ended; or when another thread is sending, which takes the new bytes.</returns>
    public bool TryTake(bool isFirst, out ReadOnlyMemory<byte> block)
    {
        lock (_gate)
        {
            block = default;
            if (isFirst && _isSending)
            {
                return false;
            }

            (_pending, _sending) = (_sending, _pending);
            block = _sending.AsMemory(0, _bytes);
            _isSending = _bytes > 0;
            _bytes = 0;
            return _isSending;
        }
    }
}
