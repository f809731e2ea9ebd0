namespace PlayChat.Core.Buffers;

/// <summary>Gives the idle memory of a pool back, at the latest 40 seconds after it was last needed.</summary>
/// <remarks>
/// What the pool gives back is garbage, and a silent process never collects any. So when a load has ended, the trimmer asks for the one
/// kind of collection that hands memory to the system at once. It stops the process for about a tenth of a second, so a server that still
/// works keeps its memory until the runtime collects.
/// </remarks>
internal sealed class PoolTrimmer : IDisposable
{
    // In an interval: a hundred a second. A room of eight members at 20 Hz makes more.
    private const long QuietTransfers = 2000;

    /// <summary>How often the pool is trimmed. A burst that comes back within this time finds its memory.</summary>
    internal static readonly TimeSpan Interval = TimeSpan.FromSeconds(20);

    private readonly Func<long>? _countTransfers; // receives and sends; null: the trimmer never asks for a collection
    private readonly ITimer _timer;
    private long _transfers;

    internal PoolTrimmer(SegmentPool pool, TimeProvider time, Func<long>? countTransfers = null)
    {
        Pool = pool;
        _countTransfers = countTransfers;
        _timer = time.CreateTimer(static state => ((PoolTrimmer)state!).Trim(), this, Interval, Interval);
    }

    internal SegmentPool Pool { get; }

    public void Dispose() => _timer.Dispose();

    private void Trim()
    {
        bool endsLoad = Pool.Trim().EndsLoad;
        if (_countTransfers is null)
        {
            return;
        }

        long transfers = _countTransfers();
        bool isQuiet = transfers - _transfers < QuietTransfers;
        _transfers = transfers;
        if (endsLoad && isQuiet)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        }
    }
}
