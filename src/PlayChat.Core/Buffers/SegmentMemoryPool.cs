namespace PlayChat.Core.Buffers;

/// <summary>A <see cref="SegmentPool"/> as the memory of pipes. Thread-safe.</summary>
internal sealed class SegmentMemoryPool(SegmentPool pool) : MemoryPool<byte>
{
    public override int MaxBufferSize => Array.MaxLength;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1) =>
        new Lease(pool.RentSegment(minBufferSize < 0 ? SegmentPool.ReceiveBytes : minBufferSize));

    protected override void Dispose(bool disposing)
    {
        // The pool has another owner.
    }

    private sealed class Lease(Segment segment) : IMemoryOwner<byte>
    {
        private Segment? _segment = segment;

        public Memory<byte> Memory => _segment!.Array;

        public void Dispose() => Interlocked.Exchange(ref _segment, null)?.Release();
    }
}
