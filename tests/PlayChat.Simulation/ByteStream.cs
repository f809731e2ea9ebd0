namespace PlayChat.Simulation;

/// <summary>One direction of a link: bytes that are under way, those that have arrived, and the end behind them.</summary>
/// <param name="network">Its conditions.</param>
/// <param name="capacity">The bytes that it holds before its sender must wait.</param>
internal sealed class ByteStream(SimulatedNetwork network, int capacity)
{
    private readonly Queue<(long Due, byte[] Bytes)> _flying = new();
    private readonly Queue<byte[]> _arrived = new();
    private int _read; // of the first array that has arrived
    private long _lastDue;
    private bool _endsInOrder;
    private bool _isCut;

    /// <summary>The bytes that can be received.</summary>
    internal int Available { get; private set; }

    /// <summary>The bytes that are under way or not yet received.</summary>
    internal int Bytes { get; private set; }

    internal int Room => Math.Max(0, capacity - Bytes);

    /// <summary>Whether the end has arrived, behind everything else.</summary>
    internal bool HasEnded => _endsInOrder && _flying.Count == 0;

    /// <summary>Called when bytes or the end have arrived, and when there is room again.</summary>
    internal Action Arrived { get; set; } = static () => { };

    internal Action Drained { get; set; } = static () => { };

    internal void Write(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty || _endsInOrder)
        {
            return;
        }

        Bytes += bytes.Length;
        Send(bytes.ToArray());
    }

    /// <summary>Sends the end behind what was written.</summary>
    internal void Finish()
    {
        if (!_endsInOrder)
        {
            _endsInOrder = true;
            Send([]);
        }
    }

    /// <summary>Delivers nothing any more, and says nothing.</summary>
    internal void Cut() => _isCut = true;

    /// <summary>Drops everything.</summary>
    internal void Drop()
    {
        _isCut = true;
        _flying.Clear();
        _arrived.Clear();
        Available = 0;
        Bytes = 0;
    }

    internal int Read(Span<byte> destination)
    {
        int total = 0;
        while (total < destination.Length && _arrived.TryPeek(out byte[]? first))
        {
            int count = Math.Min(first.Length - _read, destination.Length - total);
            first.AsSpan(_read, count).CopyTo(destination[total..]);
            total += count;
            _read += count;
            if (_read == first.Length)
            {
                _arrived.Dequeue();
                _read = 0;
            }
        }

        Available -= total;
        Bytes -= total;
        if (total > 0)
        {
            Drained();
        }

        return total;
    }

    private void Send(byte[] bytes)
    {
        long due = network.Clock.GetTimestamp() + network.DrawDelay().Ticks;
        _lastDue = Math.Max(due, _lastDue);
        _flying.Enqueue((_lastDue, bytes));
        network.Clock.After(TimeSpan.FromTicks(_lastDue - network.Clock.GetTimestamp()), Arrive);
    }

    private void Arrive()
    {
        bool any = false;
        while (!_isCut && _flying.TryPeek(out (long Due, byte[] Bytes) first) && first.Due <= network.Clock.GetTimestamp())
        {
            any = true;
            _flying.Dequeue();
            if (first.Bytes.Length > 0)
            {
                _arrived.Enqueue(first.Bytes);
                Available += first.Bytes.Length;
            }
        }

        if (any)
        {
            Arrived();
        }
    }
}
