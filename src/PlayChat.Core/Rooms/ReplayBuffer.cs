namespace PlayChat.Core.Rooms;

/// <summary>The frames that a room would have sent to a member while it is away, encoded and in order.</summary>
/// <remarks>
/// <para>It keeps all reliable frames, and of <see cref="Delivery.LatestOnly"/> the newest of each key; frames of
/// <see cref="Delivery.DropIfBehind"/> are skipped, as for a member that is behind. When it would exceed its bound, it drops everything and
/// keeps nothing more: a part of the frames would be of no use.</para>
/// <para>Invariant: <c>_bytes</c> and <c>_frames</c> are the sums over the runs that are not replaced. Only the room's turn uses it, until
/// it hands it over to <see cref="LeftReplay"/>, which then alone uses it.</para>
/// </remarks>
/// <param name="maxBytes">The bound, in encoded bytes.</param>
internal sealed class ReplayBuffer(int maxBytes)
{
    private readonly List<Run> _runs = [];
    private Dictionary<long, int>? _latest; // the index of the newest run of each key
    private int _replaced; // runs that are empty, because a newer frame of their key came
    private int _bytes;
    private int _frames;

    /// <summary>Whether the bound was reached, so that there is nothing to replay.</summary>
    internal bool HasOverflowed { get; private set; }

    internal int Bytes => _bytes;

    /// <summary>Whether all frames are here, and a connection can take them without filling its outbound queue.</summary>
    internal bool Fits(Connection connection, int maxBehind) => !HasOverflowed && _bytes <= maxBehind - connection.OutboundBytes;

    /// <summary>Copies frames.</summary>
    /// <param name="frames">In order.</param>
    /// <param name="loose">Which of them the member may lose, in order.</param>
    internal void Add(in SharedFrames frames, ReadOnlySpan<LooseFrame> loose)
    {
        ReadOnlySpan<byte> memory = frames.Segment.Array;
        int at = frames.Start;
        int ordinal = frames.Ordinal;
        foreach (ref readonly LooseFrame frame in loose)
        {
            AddRun(memory[at..frame.Start], frame.Ordinal - ordinal, key: null);
            at = frame.Start + frame.Bytes;
            ordinal = frame.Ordinal + 1;
            if (frame.Delivery.IsLatestOnly)
            {
                AddRun(memory.Slice(frame.Start, frame.Bytes), frames: 1, frame.Delivery.Key);
            }
        }

        AddRun(memory[at..(frames.Start + frames.Bytes)], frames.Ordinal + frames.Frames - ordinal, key: null);
    }

    /// <summary>Queues the frames for a connection; the caller flushes it.</summary>
    /// <returns>Whether the outbound queue accepted all of them.</returns>
    internal bool Send(Connection connection, SegmentPool pool)
    {
        if (_bytes == 0)
        {
            return true;
        }

        Segment segment = pool.RentSegment(_bytes);
        try
        {
            foreach (Run run in _runs)
            {
                run.Bytes.CopyTo(segment.Free);
                segment.Written += run.Bytes.Length;
            }

            return connection.SendShared(segment, _frames, flush: false);
        }
        finally
        {
            segment.Release();
        }
    }

    private void AddRun(ReadOnlySpan<byte> bytes, int frames, long? key)
    {
        if (bytes.IsEmpty || HasOverflowed)
        {
            return;
        }

        if (key is { } latest)
        {
            Replace(latest);
        }

        if (_bytes + bytes.Length > maxBytes)
        {
            HasOverflowed = true;
            _runs.Clear();
            _latest = null;
            _replaced = 0;
            (_bytes, _frames) = (0, 0);
            return;
        }

        _runs.Add(new Run(bytes.ToArray(), frames));
        _bytes += bytes.Length;
        _frames += frames;
    }

    /// <summary>Drops the older frame of a key; the newer one becomes the next run.</summary>
    private void Replace(long key)
    {
        _latest ??= [];
        if (_latest.TryGetValue(key, out int older))
        {
            _bytes -= _runs[older].Bytes.Length;
            _frames -= _runs[older].Frames;
            _runs[older] = Run.Empty;
            _replaced++;
            Compact();
        }

        _latest[key] = _runs.Count;
    }

    /// <summary>Removes the replaced runs when most are, so that a replacement costs little and the list does not grow with them.</summary>
    private void Compact()
    {
        if (_replaced < 32 || 2 * _replaced < _runs.Count)
        {
            return;
        }

        int[] moved = new int[_runs.Count];
        int count = 0;
        for (int i = 0; i < _runs.Count; i++)
        {
            moved[i] = count;
            if (_runs[i].Frames > 0)
            {
                _runs[count++] = _runs[i];
            }
        }

        _runs.RemoveRange(count, _runs.Count - count);
        _replaced = 0;
        foreach (long key in _latest!.Keys)
        {
            _latest[key] = moved[_latest[key]];
        }
    }

    /// <summary>Consecutive frames, encoded.</summary>
    private readonly record struct Run(byte[] Bytes, int Frames)
    {
        internal static Run Empty { get; } = new([], 0);
    }
}
