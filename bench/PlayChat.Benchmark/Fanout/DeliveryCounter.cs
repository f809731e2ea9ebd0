namespace PlayChat.Benchmark.Fanout;

/// <summary>Counts the deliveries to one receiver, per sender of its room, by the sender's own numbers.</summary>
/// <remarks>
/// Only the receiver's loop writes; any thread may read the counters. Without faults it allocates nothing.
/// Losses are counted at the end: the expected deliveries that did not arrive.
/// </remarks>
internal sealed class DeliveryCounter
{
    private readonly ChatRoster _roster;
    private readonly int _receiver;
    private readonly FanoutLog _log;
    private readonly LatencyRecorder _measured;
    private readonly OrderTracker[] _senders; // by place in the room

    public DeliveryCounter(ChatRoster roster, int receiver, FanoutLog log)
    {
        _roster = roster;
        _receiver = receiver;
        _log = log;
        _measured = log.Rooms.Of(roster.RoomOf(receiver));
        _senders = new OrderTracker[roster.MembersOf(roster.RoomOf(receiver))];
        Array.Fill(_senders, new OrderTracker(last: -1));
    }

    /// <summary>Deliveries of the load's messages, without duplicates.</summary>
    public long Delivered { get; private set; }

    /// <summary>The deliveries among them that were planned during the measurement.</summary>
    public long Measured { get; private set; }

    /// <summary>The deliveries among <see cref="Measured"/> that were late.</summary>
    public long Late { get; private set; }

    public long Duplicated { get; private set; }

    /// <summary>Deliveries that came after a later message, or with another sequence than at another member.</summary>
    public long Reordered { get; private set; }

    public long Corrupted { get; private set; }

    /// <summary>Counts what is wrong with an arrival, if anything is; content that differs is <see cref="Arrival.Inconsistent"/>.</summary>
    public void Add(Arrival arrival)
    {
        Duplicated += arrival == Arrival.Duplicate ? 1 : 0;
        Reordered += arrival == Arrival.Late ? 1 : 0;
        Corrupted += arrival == Arrival.Inconsistent ? 1 : 0;
    }

    public bool Knows(int sender) => (uint)sender < (uint)_roster.Clients && _roster.RoomOf(sender) == _roster.RoomOf(_receiver);

    /// <summary>Counts a message of a sender for which <see cref="Knows"/> is true.</summary>
    /// <param name="sequence">The room's sequence; 0 when the load has none.</param>
    /// <param name="isKnownLate">Whether its sequence has been counted as out of order already.</param>
    public void Accept(ChatText text, long sequence, bool isKnownLate, long now, MeasureWindow window)
    {
        Arrival arrival = _senders[_roster.PlaceOf(text.Sender)].Accept(text.Number, text.Number - 1);
        if (arrival == Arrival.Duplicate)
        {
            Duplicated++; // delivered twice
            return;
        }

        if (arrival == Arrival.Late && !isKnownLate)
        {
            Reordered++;
        }

        Delivered++;
        long nanoseconds = now - text.PlannedNanoseconds;
        bool measured = window.Contains(text.PlannedNanoseconds);
        if (measured)
        {
            Measured++;
            _measured.Record(nanoseconds);
            if (nanoseconds > _log.LateNanoseconds)
            {
                Late++;
            }
        }
        else
        {
            _log.Unmeasured.Record(nanoseconds);
        }

        if (!_log.Arrivals.OnArrival(text.Sender, text.Number, sequence, nanoseconds, measured))
        {
            Reordered++;
        }
    }

    /// <summary>The deliveries that never arrived. Call it when the run is over.</summary>
    public IEnumerable<MissingDelivery> FindMissing(Func<int, int> sentBy)
    {
        int room = _roster.RoomOf(_receiver);
        for (int place = 0; place < _senders.Length; place++)
        {
            int sender = (place * _roster.Rooms) + room;
            int last = sentBy(sender) - 1;
            if (_senders[place].HasAll(last))
            {
                continue; // the usual case
            }

            foreach (long number in _senders[place].Missing(last))
            {
                yield return new MissingDelivery(room, _receiver, sender, (int)number, _log.Arrivals.SequenceOf(sender, (int)number));
            }
        }
    }
}

/// <param name="Number">The sender's own number of the message, from 0.</param>
/// <param name="Sequence">The room's, as another member received it; null when no member did, or when the load has none.</param>
internal sealed record MissingDelivery(int Room, int Receiver, int Sender, int Number, long? Sequence)
{
    public override string ToString()
    {
        string what = Sequence is null ? "a message" : $"sequence {Sequence}";
        return $"Receiver {Receiver} in room {Room} did not get {what}: number {Number} of sender {Sender}.";
    }
}
