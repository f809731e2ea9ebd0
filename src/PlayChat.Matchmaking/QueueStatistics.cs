using System.Buffers;
using System.Runtime.InteropServices;

namespace PlayChat.Matchmaking;

/// <summary>Counts what a queue does, for its figures and its meter. The owner of a queue that a cluster shares publishes the figures, so
/// that each node shows them. Only the queue's turn uses the part, except <see cref="Figures"/>.</summary>
/// <param name="queue">The name of the queue's room.</param>
internal sealed class QueueStatistics(string queue) : RoomPart
{
    private volatile MatchQueueFigures _figures = new(0, 0, TimeSpan.Zero, TimeSpan.Zero, 0);
    private long _matches;

    internal MatchQueueFigures Figures => _figures;

    internal TimeSpan TypicalWait { get; private set; }

    internal void AddMatch(IEnumerable<TimeSpan> waits)
    {
        _matches++;
        MatchmakingMeter.Matched(queue);
        foreach (TimeSpan waited in waits)
        {
            MatchmakingMeter.Waited(queue, waited);
            // The latest eight or so: a queue changes with the hour.
            TypicalWait += TypicalWait == TimeSpan.Zero ? waited : (waited - TypicalWait) / 8;
        }
    }

    internal void Update(int players, int offered, TimeSpan longestWait)
    {
        MatchmakingMeter.LongestWaitChanged(queue, longestWait - _figures.LongestWait);
        _figures = new MatchQueueFigures(players, offered, longestWait, TypicalWait, _matches);
    }

    protected override void OnSnapshot(IBufferWriter<byte> state)
    {
        (int players, int offered, TimeSpan longest, TimeSpan typical, long matches) = _figures;
        state.Write(MemoryMarshal.AsBytes<long>([players, offered, longest.Ticks, typical.Ticks, matches]));
    }

    protected override void OnRestore(ReadOnlySpan<byte> state)
    {
        OnPublished(state);
        (_matches, TypicalWait) = (_figures.Matches, _figures.TypicalWait);
        _figures = _figures with { LongestWait = TimeSpan.Zero }; // as the meter of this process has it
    }

    protected override void OnPublished(ReadOnlySpan<byte> state)
    {
        ReadOnlySpan<long> values = MemoryMarshal.Cast<byte, long>(state);
        _figures = new MatchQueueFigures((int)values[0], (int)values[1], new TimeSpan(values[2]), new TimeSpan(values[3]), values[4]);
    }
}
