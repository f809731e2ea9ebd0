namespace PlayChat.Benchmark.Baselines;

/// <summary>
/// Bytes that wait for one connection while others broadcast to it: gathered, so that one send takes all that came meanwhile. Thread-safe.
/// </summary>
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

    /// <summary>Starts sending, unless nothing waits or another thread is sending; that thread then takes the new bytes.</summary>
    /// <param name="block">All that waited; valid until <see cref="TryContinue"/>.</param>
    public bool TryBegin(out ReadOnlyMemory<byte> block)
    {
        lock (_gate)
        {
            block = default;
            return !_isSending && TryTake(out block);
        }
    }

    /// <summary>Continues after a block was sent.</summary>
    /// <returns>False when nothing waits: the sending has ended.</returns>
    public bool TryContinue(out ReadOnlyMemory<byte> block)
    {
        lock (_gate)
        {
            return TryTake(out block);
        }
    }

    private bool TryTake(out ReadOnlyMemory<byte> block)
    {
        (_pending, _sending) = (_sending, _pending);
        block = _sending.AsMemory(0, _bytes);
        _isSending = _bytes > 0;
        _bytes = 0;
        return _isSending;
    }
}
