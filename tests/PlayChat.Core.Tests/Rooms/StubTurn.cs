using PlayChat.Core.Rooms;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>A turn that does what the test says, and notes what the scheduler calls.</summary>
internal sealed class StubTurn : IRoomTurn
{
    private int _runs;
    private int _slices;

    internal Action? Running { get; set; }

    /// <summary>Slices that each flush takes; 0 when a turn has nothing to flush.</summary>
    internal int Slices { get; set; }

    internal int Holds { get; set; }

    internal int Runs => Volatile.Read(ref _runs);

    internal int Flushes { get; private set; }

    public bool IsSmall { get; set; } = true;

    public bool IsCutShort { get; set; }

    public bool IsTimerDue { get; set; }

    public bool HasWork { get; set; }

    public bool MustHold() => Holds-- > 0;

    public bool Run()
    {
        (IsCutShort, IsTimerDue, HasWork) = (false, false, false);
        Interlocked.Increment(ref _runs);
        Running?.Invoke();
        return Slices > 0;
    }

    public bool FlushSlice() => ++_slices % Slices == 0;

    public void OnFlushed() => Flushes++;
}
