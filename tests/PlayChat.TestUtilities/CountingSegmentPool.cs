using PlayChat.Core.Buffers;

namespace PlayChat.TestUtilities;

/// <summary>A pool that poisons what comes back, so that whoever reads on sees it, and that finds leaks. A double return throws in the
/// segment.</summary>
internal sealed class CountingSegmentPool : SegmentPool
{
    /// <summary>What returned memory is filled with.</summary>
    internal const byte Poison = 0xDD;

    /// <summary>Rented and not returned.</summary>
    internal long InUse => Statistics.InUse;

    /// <summary>Fails when something is still rented.</summary>
    /// <exception cref="InvalidOperationException">A segment leaked.</exception>
    internal void Verify()
    {
        if (Statistics is { InUse: not 0 } statistics)
        {
            throw new InvalidOperationException($"{statistics.InUse} of {statistics.Rents} segments were not returned.");
        }
    }

    protected override void OnReturning(Segment segment) => segment.Array.AsSpan().Fill(Poison);
}
