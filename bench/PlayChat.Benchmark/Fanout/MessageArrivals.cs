namespace PlayChat.Benchmark.Fanout;

/// <summary>Counts for each message how many members have received it, and so knows when the last one did. Thread-safe.</summary>
/// <remarks>
/// Each delivery costs an interlocked increment on memory that all receivers share. With very many deliveries or messages, only one in
/// <see cref="OneIn"/> messages of a sender is followed.
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

    /// <summary>Of this many messages of a sender, one is followed.</summary>
    public int OneIn => 1 << _shift;

    /// <summary>From planned sending to the arrival at the last member, for measured messages that all members received.</summary>
    public LatencySummary LastMember => _last.Snapshot().Summarize();

    /// <summary>Allocates for the messages that will be sent. Call it before the first message.</summary>
    public void Begin(double messagesPerSecond, double seconds)
    {
        seconds = Math.Max(0, seconds); // on an overloaded machine the window may have ended before the load starts
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

    /// <summary>Notes that a member received a message for the first time.</summary>
    /// <param name="sequence">The room's sequence; 0 when the load has none.</param>
    /// <returns>Whether no other member got it with another sequence: else the members do not have one order.</returns>
    public bool OnArrival(int sender, int number, long sequence, long nanoseconds, bool measured)
    {
        if (!TryFind(sender, number, out long slot))
        {
            return true;
        }

        long known = Volatile.Read(ref _sequences[slot]);
        if (known == 0)
        {
            known = Interlocked.CompareExchange(ref _sequences[slot], sequence, 0);
        }

        int arrived = Interlocked.Increment(ref _arrived[slot]);
        if (measured && arrived == roster.MembersOf(roster.RoomOf(sender)))
        {
            _last.Record(nanoseconds);
        }

        return known == 0 || known == sequence;
    }

    /// <summary>The sequence of a message that at least one member has received; <see langword="null"/> when it is not known.</summary>
    public long? SequenceOf(int sender, int number) =>
        TryFind(sender, number, out long slot) && Volatile.Read(ref _sequences[slot]) is > 0 and long sequence ? sequence : null;

    private bool TryFind(int sender, int number, out long slot)
    {
        int place = number >> _shift;
        slot = ((long)sender * _perSender) + place;
        return (number & (OneIn - 1)) == 0 && (uint)place < (uint)_perSender && slot < _arrived.Length;
    }
}
