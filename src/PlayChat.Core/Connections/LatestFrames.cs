namespace PlayChat.Core.Connections;

/// <summary>The newest frame of each key, which waits beside a connection's queue until the next send.</summary>
/// <remarks>
/// Not thread-safe: the queue's gate guards it. Small frames are copied into one segment, so that a stalled peer costs little more memory
/// than the frames that it will get. For large frames the shared memory is held instead. Recycled, like <see cref="OutboundBatch"/>.
/// </remarks>
internal sealed class LatestFrames
{
    // As in a batch: for less it is not worth keeping a whole block alive.
    private const int ShareFromBytes = OutboundBatch.ShareFromBytes;

    // A table that has grown larger is not kept for the next connection.
    private const int MaxSpareKeys = 256;

    [ThreadStatic]
    private static LatestFrames? s_spare;

    private readonly Dictionary<long, Entry> _entries = [];
    private Segment? _small; // ours alone
    private int _smallBytes; // of it, those of frames that still count

    internal static LatestFrames Rent()
    {
        LatestFrames? spare = s_spare;
        s_spare = null;
        return spare ?? new LatestFrames();
    }

    /// <summary>How many bytes a frame of this key would replace.</summary>
    internal int BytesOf(long key) => _entries.TryGetValue(key, out Entry entry) ? entry.Bytes : 0;

    /// <summary>Drops the frame of a key.</summary>
    /// <returns>Whether there was one.</returns>
    internal bool Remove(long key, ConnectionServices services)
    {
        if (!_entries.Remove(key, out Entry entry))
        {
            return false;
        }

        if (entry.Shared is { } shared)
        {
            Drop(shared, services);
        }
        else
        {
            _smallBytes -= entry.Bytes;
        }

        return true;
    }

    /// <summary>Stores a frame in place of the one with the same key.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="segment">Where it is; held by the caller. A large frame is held here as well, a small one copied.</param>
    /// <param name="start">Where in the segment.</param>
    /// <param name="bytes">How long it is, encoded.</param>
    /// <param name="services">Where memory comes from and is counted.</param>
    /// <returns>Whether it replaced one.</returns>
    internal bool Set(long key, Segment segment, int start, int bytes, ConnectionServices services)
    {
        bool small = bytes < ShareFromBytes;
        ref Entry entry = ref CollectionsMarshal.GetValueRefOrNullRef(_entries, key);
        if (small && !Unsafe.IsNullRef(ref entry) && entry.Shared is null && entry.Room >= bytes)
        {
            // Nearly always: an update is as long as the one before it, and takes its place.
            segment.Array.AsSpan(start, bytes).CopyTo(_small!.Array.AsSpan(entry.Start));
            _smallBytes += bytes - entry.Bytes;
            entry = entry with { Bytes = bytes };
            return true;
        }

        Segment? own = small ? RoomFor(bytes, services) : null; // first: if there is no memory, nothing has changed
        bool replaced = Remove(key, services);
        if (own is not null)
        {
            segment.Array.AsSpan(start, bytes).CopyTo(own.Free);
            _entries[key] = new Entry(null, own.Written, bytes, bytes);
            own.Written += bytes;
            _smallBytes += bytes;
        }
        else
        {
            segment.Retain();
            services.Metrics.PushSendBuffers(1);
            _entries[key] = new Entry(segment, start, bytes, bytes);
        }

        return replaced;
    }

    /// <summary>Moves all frames to the end of a batch, and returns the empty table.</summary>
    internal void MoveTo(OutboundBatch batch, ConnectionServices services)
    {
        bool whole = _small is { } own && own.Written == _smallBytes;
        int smallFrames = 0;
        foreach (Entry entry in _entries.Values)
        {
            if (entry.Shared is { } shared)
            {
                batch.AddHeld(shared, entry.Start, entry.Bytes, frames: 1, services);
            }
            else if (whole)
            {
                smallFrames++;
            }
            else
            {
                _small!.Array.AsSpan(entry.Start, entry.Bytes).CopyTo(batch.GetSpan(entry.Bytes, services, _smallBytes));
                batch.Advance(entry.Bytes);
            }
        }

        if (whole)
        {
            batch.AddOwned(_small!, smallFrames, services);
            services.Metrics.PopSendBuffers(1); // pushed when it was rented
            _small = null;
        }

        Release(services);
    }

    /// <summary>Returns the memory, and the table itself.</summary>
    internal void Release(ConnectionServices services)
    {
        foreach (Entry entry in _entries.Values)
        {
            if (entry.Shared is { } shared)
            {
                Drop(shared, services);
            }
        }

        if (_small is { } small)
        {
            Drop(small, services);
            _small = null;
        }

        _smallBytes = 0;
        if (_entries.EnsureCapacity(0) <= MaxSpareKeys)
        {
            _entries.Clear();
            s_spare = this;
        }
    }

    private static void Drop(Segment segment, ConnectionServices services)
    {
        services.Metrics.PopSendBuffers(1);
        segment.Release();
    }

    /// <summary>The memory for small frames, with room for one more.</summary>
    private Segment RoomFor(int bytes, ConnectionServices services)
    {
        if (_small is { } small && small.FreeBytes >= bytes)
        {
            return small;
        }

        // Twice what counts, so that a frame is moved once on average however often its neighbours change.
        Segment larger = services.Pool.RentSegment((int)Math.Min(2L * (_smallBytes + bytes), Array.MaxLength));
        services.Metrics.PushSendBuffers(1);
        if (_small is { } full)
        {
            foreach (long key in _entries.Keys)
            {
                ref Entry entry = ref CollectionsMarshal.GetValueRefOrNullRef(_entries, key);
                if (entry.Shared is null)
                {
                    full.Array.AsSpan(entry.Start, entry.Bytes).CopyTo(larger.Free);
                    entry = new Entry(null, larger.Written, entry.Bytes, entry.Bytes);
                    larger.Written += entry.Bytes;
                }
            }

            Drop(full, services);
        }

        return _small = larger;
    }

    /// <summary>A frame: in shared memory, or among the small ones.</summary>
    private readonly record struct Entry(Segment? Shared, int Start, int Bytes, int Room);
}
