namespace PlayChat.Benchmark.Baselines;

/// <summary>
/// One connection's receive buffer: small at first, larger when reads fill it or a frame does not fit. For one thread at a time.
/// </summary>
internal sealed class ReceiveBuffer(BaselineFraming framing)
{
    private const int FirstBytes = 4096;

    // A busy connection reads up to so much at once.
    private const int BusyBytes = 64 * 1024;

    private byte[] _bytes = new byte[FirstBytes];
    private int _end;
    private int _taken;

    /// <summary>Where the next read goes; never empty.</summary>
    public Memory<byte> Free => _bytes.AsMemory(_end);

    /// <summary>Takes what a read brought, and gives all frames that are whole now.</summary>
    /// <param name="whole">The frames; valid until <see cref="Release"/>.</param>
    /// <returns>False when a length is over the limit.</returns>
    public bool TryTake(int bytes, out ReadOnlyMemory<byte> whole, out int frames)
    {
        _end += bytes;
        bool good = framing.TryScan(_bytes.AsSpan(0, _end), out FrameRun run);
        whole = _bytes.AsMemory(0, run.Bytes);
        frames = run.Frames;
        _taken = run.Bytes;
        return good;
    }

    /// <summary>Makes room: what was taken goes, what is behind it moves to the front.</summary>
    public void Release()
    {
        bool wasFull = _end == _bytes.Length;
        ReadOnlySpan<byte> rest = _bytes.AsSpan(_taken, _end - _taken);
        int wanted = wasFull && _bytes.Length < BusyBytes ? 2 * _bytes.Length : _bytes.Length;
        if (wasFull && _taken == 0)
        {
            wanted = 2 * _bytes.Length; // one frame larger than the buffer; bounded by the largest frame
        }

        byte[] target = wanted > _bytes.Length ? new byte[wanted] : _bytes;
        rest.CopyTo(target);
        _bytes = target;
        _end = rest.Length;
        _taken = 0;
    }
}
