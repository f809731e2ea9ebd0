using PlayChat.Benchmark.Chat;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Fanout;

/// <summary>Counts for each message how many members have it, and so knows when the last one got it. Thread-safe.</summary>
/// <remarks>
/// Costs an interlocked increment a delivery, on memory that all receivers share; so where there are very many deliveries, or would
/// be too many messages to remember, only every so many-th message of a sender is followed.
/// </remarks>
internal sealed class MessageArrivals(ChatRoster roster)
{
    private const double MaxDeliveriesPerSecond = 500_000;
    private const double MaxMessages = 16_000_000;
    private const int MaxShift = 20;

    private readonly LatencyRecorder _last = new();
    private int[] _arrived = [];
    private long[] _sequences = [];
    private int _perSender;
    private int _shift;

    /// <summary>Of every so many messages of a sender one is followed.</summary>
    public int OneIn => 1 << _shift;

    /// <summary>From planned sending to the arrival at the last member, of measured messages that all members got.</summary>
    public LatencySummary LastMember => _last.Snapshot().Summarize();

    /// <summary>Makes room for what will be sent. Before the first message.</summary>
    /// <param name="messagesPerSecond">Of each sender.</param>
    /// <param name="seconds">How long they send.</param>
    public void Begin(double messagesPerSecond, double seconds)
    {
        double deliveriesPerSecond = messagesPerSecond * roster.Clients * roster.LargestRoom;
        double messages = messagesPerSecond * seconds * roster.Clients;
        _shift = deliveriesPerSecond > MaxDeliveriesPerSecond ? 4 : 0;
        while (messages / OneIn > MaxMessages && _shift < MaxShift)
        {
            _shift++;
        }

        _perSender = (int)(messagesPerSecond * seconds / OneIn) + 2; // the first and the last may both lie inside
        long slots = Math.Min((long)_perSender * roster.Clients, 2 * (long)MaxMessages);
        _arrived = new int[slots];
        _sequences = new long[slots];
    }

    /// <summary>A member has a message, for the first time.</summary>
    /// <param name="sender">Who sent it.</param>
    /// <param name="number">The sender's own count.</param>
    /// <param name="sequence">The room's; 0 where there is none.</param>
    /// <param name="nanoseconds">Since it was to be sent.</param>
    /// <param name="measured">Whether its latency counts.</param>
    public void OnArrival(int sender, int number, long sequence, long nanoseconds, bool measured)
    {
        if (!TryFind(sender, number, out long slot))
        {
            return;
        }

        int arrived = Interlocked.Increment(ref _arrived[slot]);
        if (arrived == 1)
        {
            Volatile.Write(ref _sequences[slot], sequence);
        }

        if (measured && arrived == roster.MembersOf(roster.RoomOf(sender)))
        {
            _last.Record(nanoseconds);
        }
    }

    /// <summary>The sequence of a message that anybody has; <see langword="null"/> when it is not known.</summary>
    public long? SequenceOf(int sender, int number) =>
        TryFind(sender, number, out long slot) && Volatile.Read(ref _sequences[slot]) is > 0 and long sequence ? sequence : null;

    private bool TryFind(int sender, int number, out long slot)
    {
        int place = number >> _shift;
        slot = ((long)sender * _perSender) + place;
        return (number & (OneIn - 1)) == 0 && (uint)place < (uint)_perSender && slot < _arrived.Length;
    }
}
