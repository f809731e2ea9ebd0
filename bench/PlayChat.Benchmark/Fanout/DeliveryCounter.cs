using PlayChat.Benchmark.Chat;
using PlayChat.Benchmark.Run;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Fanout;

/// <summary>Counts what one receiver gets of each sender of its room, by the sender's own count.</summary>
/// <remarks>
/// Used by the receiver's loop alone; the counters may be read from anywhere. Allocates nothing while all is well.
/// What is lost is not counted here but at the end, as what was expected and did not come.
/// </remarks>
internal sealed class DeliveryCounter
{
    private readonly ChatRoster _roster;
    private readonly int _receiver;
    private readonly FanoutLog _log;
    private readonly LatencyRecorder _measured;
    private readonly OrderTracker[] _senders; // by place in the room
    private long _delivered;
    private long _measuredCount;
    private long _late;
    private long _duplicated;
    private long _reordered;
    private long _corrupted;

    /// <param name="roster">Who is where.</param>
    /// <param name="receiver">Whose deliveries these are.</param>
    /// <param name="log">Where the deliveries of all come together.</param>
    public DeliveryCounter(ChatRoster roster, int receiver, FanoutLog log)
    {
        _roster = roster;
        _receiver = receiver;
        _log = log;
        _measured = log.Rooms.Of(roster.RoomOf(receiver));
        _senders = new OrderTracker[roster.MembersOf(roster.RoomOf(receiver))];
        Array.Fill(_senders, new OrderTracker(last: -1));
    }

    /// <summary>Deliveries of the load's messages, each counted once.</summary>
    public long Delivered => Volatile.Read(ref _delivered);

    /// <summary>Those of them that were planned while it was measured.</summary>
    public long Measured => Volatile.Read(ref _measuredCount);

    /// <summary>Those of <see cref="Measured"/> that came later than the limit.</summary>
    public long Late => Volatile.Read(ref _late);

    /// <summary>Deliveries that had been there before.</summary>
    public long Duplicated => Volatile.Read(ref _duplicated);

    /// <summary>Deliveries after one that belongs behind them.</summary>
    public long Reordered => Volatile.Read(ref _reordered);

    /// <summary>Deliveries that are not what was sent.</summary>
    public long Corrupted => Volatile.Read(ref _corrupted);

    public void AddDuplicate() => Increment(ref _duplicated);

    public void AddReordered() => Increment(ref _reordered);

    public void AddCorrupted() => Increment(ref _corrupted);

    /// <summary>Whether somebody is in the receiver's room.</summary>
    public bool Knows(int sender) => (uint)sender < (uint)_roster.Clients && _roster.RoomOf(sender) == _roster.RoomOf(_receiver);

    /// <summary>Takes a message of a sender that <see cref="Knows"/> knows.</summary>
    /// <param name="text">Who, which, and when it was to be sent.</param>
    /// <param name="sequence">The room's; 0 where there is none.</param>
    /// <param name="isKnownLate">It has been counted as out of order by its sequence.</param>
    /// <param name="now">When it came.</param>
    /// <param name="window">What is measured.</param>
    public void Accept(ChatText text, long sequence, bool isKnownLate, long now, MeasureWindow window)
    {
        Arrival arrival = _senders[_roster.PlaceOf(text.Sender)].Accept(text.Number, text.Number - 1);
        if (arrival == Arrival.Duplicate)
        {
            Increment(ref _duplicated); // sent on twice
            return;
        }

        if (arrival == Arrival.Late && !isKnownLate)
        {
            Increment(ref _reordered);
        }

        Increment(ref _delivered);
        long nanoseconds = now - text.PlannedNanoseconds;
        bool measured = window.Contains(text.PlannedNanoseconds);
        if (measured)
        {
            Increment(ref _measuredCount);
            _measured.Record(nanoseconds);
            if (nanoseconds > _log.LateNanoseconds)
            {
                Increment(ref _late);
            }
        }
        else
        {
            _log.Unmeasured.Record(nanoseconds);
        }

        _log.Arrivals.OnArrival(text.Sender, text.Number, sequence, nanoseconds, measured);
    }

    /// <summary>What it did not get. When the run is over.</summary>
    /// <param name="sentBy">How many messages a client has sent.</param>
    public IEnumerable<MissingDelivery> FindMissing(Func<int, int> sentBy)
    {
        int room = _roster.RoomOf(_receiver);
        for (int place = 0; place < _senders.Length; place++)
        {
            int sender = (place * _roster.Rooms) + room;
            int last = sentBy(sender) - 1;
            if (_senders[place].HasAll(last))
            {
                continue; // nearly always
            }

            foreach (long number in _senders[place].Missing(last))
            {
                yield return new MissingDelivery(room, _receiver, sender, (int)number, _log.Arrivals.SequenceOf(sender, (int)number));
            }
        }
    }

    private static void Increment(ref long counter) => Volatile.Write(ref counter, counter + 1);
}
