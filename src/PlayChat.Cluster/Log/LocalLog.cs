namespace PlayChat.Cluster.Log;

/// <summary>The logs of all shards in the memory of one process. Several <see cref="LocalBackplane"/>s may share it: each is a
/// node.</summary>
/// <remarks>Thread-safe. Nothing is stored: the logs end with the process.</remarks>
public sealed class LocalLog
{
    private readonly object _gate = new();
    private readonly Shard[] _shards;
    private bool _isAvailable = true;

    /// <param name="shardCount">How many shards there are; at least 1.</param>
    /// <param name="retainedBatches">How many of its latest batches a shard keeps. Default 4,096; at least 1.</param>
    /// <param name="epoch">The epoch of all logs at first, 1 or more.</param>
    /// <exception cref="ArgumentOutOfRangeException">A number is below 1.</exception>
    public LocalLog(int shardCount, int retainedBatches = 4096, uint epoch = 1)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(shardCount, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(retainedBatches, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(epoch, 1u);
        _shards = [.. Enumerable.Range(0, shardCount).Select(_ => new Shard(epoch, retainedBatches))];
    }

#pragma warning disable MA0046 // nothing but the call
    internal event Action? AvailabilityChanged;
#pragma warning restore MA0046

    /// <summary>How many shards there are.</summary>
    public int ShardCount => _shards.Length;

    /// <summary>
    /// Whether the logs can be written and read; <see langword="true"/> at first. Set it to <see langword="false"/> to see what a program
    /// does while a real log is away.
    /// </summary>
    public bool IsAvailable
    {
        get => Volatile.Read(ref _isAvailable);
        set
        {
            lock (_gate)
            {
                if (_isAvailable == value)
                {
                    return;
                }

                Volatile.Write(ref _isAvailable, value);
            }

            AvailabilityChanged?.Invoke();
        }
    }

    /// <summary>Drops the oldest batches of a shard, as its retention would.</summary>
    /// <param name="shard">The shard.</param>
    /// <param name="keep">How many of the latest batches stay; at least 0.</param>
    public void Trim(int shard, int keep) => _shards[shard].Trim(keep);

    /// <summary>Replaces the log of a shard by an empty one of the next epoch.</summary>
    /// <param name="shard">The shard.</param>
    public void Replace(int shard) => _shards[shard].Replace();

    /// <summary>Appends a batch. Copies it.</summary>
    /// <param name="shard">The shard.</param>
    /// <param name="batch">Bytes as <see cref="RecordBatch"/> describes them; they are not checked.</param>
    public void Append(int shard, ReadOnlySpan<byte> batch) => _shards[shard].Append(batch.ToArray());

    /// <summary>The epoch of a shard's log.</summary>
    /// <param name="shard">The shard.</param>
    public uint GetEpoch(int shard) => _shards[shard].Epoch;

    /// <summary>Where the next batch of a shard will stand.</summary>
    internal LocalPlace GetEnd(int shard) => _shards[shard].End;

    /// <summary>Reads the batch at a place, or the first one behind it that is kept.</summary>
    internal byte[]? TryRead(int shard, ref LocalPlace place) => IsAvailable ? _shards[shard].TryRead(ref place) : null;

    internal void Follow(int shard, Action onAppended) => _shards[shard].Appended += onAppended;

    internal void Unfollow(int shard, Action onAppended) => _shards[shard].Appended -= onAppended;

    private sealed class Shard(uint epoch, int retained)
    {
        private readonly object _gate = new();
        private readonly byte[][] _ring = new byte[retained][]; // by offset
        private uint _epoch = epoch;
        private long _first;
        private long _next;

#pragma warning disable MA0046 // nothing but the call
        public event Action? Appended;
#pragma warning restore MA0046

        public uint Epoch => Volatile.Read(ref _epoch);

        public LocalPlace End
        {
            get
            {
                lock (_gate)
                {
                    return new LocalPlace(_epoch, _next);
                }
            }
        }

        public void Append(byte[] batch)
        {
            lock (_gate)
            {
                _ring[_next % _ring.Length] = batch;
                _next++;
                _first = Math.Max(_first, _next - _ring.Length);
            }

            Appended?.Invoke();
        }

        public void Trim(int keep)
        {
            lock (_gate)
            {
                long first = Math.Max(_first, _next - keep);
                for (; _first < first; _first++)
                {
                    _ring[_first % _ring.Length] = null!;
                }
            }
        }

        public void Replace()
        {
            lock (_gate)
            {
                Array.Clear(_ring);
                _first = 0;
                _next = 0;
                Volatile.Write(ref _epoch, _epoch + 1);
            }
        }

        public byte[]? TryRead(ref LocalPlace place)
        {
            lock (_gate)
            {
                place = place.Epoch == _epoch ? new LocalPlace(_epoch, Math.Max(place.Offset, _first)) : new LocalPlace(_epoch, _first);
                return place.Offset < _next ? _ring[place.Offset % _ring.Length] : null;
            }
        }
    }
}
