using PlayChat.Benchmark.Run;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Benchmark.Chat;

/// <summary>Checks every delivery of one receiver: the room's sequence, the sender, the sender's own count, every byte of the text.</summary>
/// <remarks>
/// Used by the receiver's loop alone; the counters may be read from anywhere. Allocates nothing while all is well.
/// What is lost is not counted here but at the end, as what was expected and did not come: so a message that the server lost before
/// it got a sequence is missed as well.
/// </remarks>
internal sealed class DeliveryChecker
{
    private readonly ChatRoster _roster;
    private readonly ChatTextCodec _codec;
    private readonly int _room;
    private readonly LatencyRecorder _measured;
    private readonly LatencyRecorder _unmeasured;
    private readonly VerifiedMessages? _verified;
    private readonly OrderTracker[] _senders; // by place in the room
    private OrderTracker _sequence;
    private long _roomId;
    private long _delivered;
    private long _measuredCount;
    private long _duplicated;
    private long _reordered;
    private long _corrupted;

    /// <param name="roster">Who is where.</param>
    /// <param name="codec">How texts look.</param>
    /// <param name="room">The receiver's room's index.</param>
    /// <param name="measured">Gets the latency of messages that were planned while it was measured.</param>
    /// <param name="unmeasured">Gets that of all others.</param>
    /// <param name="verified">The room's; without it every delivery is read anew.</param>
    public DeliveryChecker(
        ChatRoster roster, ChatTextCodec codec, int room, LatencyRecorder measured, LatencyRecorder unmeasured, VerifiedMessages? verified = null)
    {
        _roster = roster;
        _codec = codec;
        _room = room;
        _measured = measured;
        _unmeasured = unmeasured;
        _verified = verified;
        _senders = new OrderTracker[roster.MembersOf(room)];
        Array.Fill(_senders, new OrderTracker(last: -1));
    }

    /// <summary>Deliveries of the load's messages, each counted once.</summary>
    public long Delivered => Volatile.Read(ref _delivered);

    /// <summary>Those of them that were planned while it was measured.</summary>
    public long Measured => Volatile.Read(ref _measuredCount);

    /// <summary>Deliveries that had been there before.</summary>
    public long Duplicated => Volatile.Read(ref _duplicated);

    /// <summary>Deliveries after one that belongs behind them.</summary>
    public long Reordered => Volatile.Read(ref _reordered);

    /// <summary>Deliveries that are not what was sent: unreadable, changed, of another room or another sender, or with a sequence that cannot be.</summary>
    public long Corrupted => Volatile.Read(ref _corrupted);

    /// <summary>The receiver is in its room from this sequence on.</summary>
    public void OnJoined(long roomId, long latestSequence)
    {
        _roomId = roomId;
        _sequence = new OrderTracker(latestSequence);
    }

    /// <summary>Somebody else has joined, which takes a sequence as well.</summary>
    public void OnOtherJoined(long roomId, long sequence, long previousSequence)
    {
        if (roomId != _roomId)
        {
            Increment(ref _corrupted);
            return;
        }

        CheckSequence(sequence, previousSequence);
    }

    /// <summary>Takes the body of a S_ROOM_CHAT_NTF.</summary>
    /// <param name="body">The protobuf message.</param>
    /// <param name="now">When it came.</param>
    /// <param name="window">What is measured.</param>
    public void OnChat(ReadOnlySpan<byte> body, long now, MeasureWindow window)
    {
        long next = _sequence.Last + 1;
        if (_verified is not null && _verified.Contains(next, body, out ChatText known))
        {
            CountFromSender(known, _sequence.Accept(next, next - 1), now, window);
            return;
        }

        if (!RoomChatNotification.TryRead(body, out RoomChatNotification message) || message.RoomId != _roomId)
        {
            Increment(ref _corrupted);
            return;
        }

        Arrival bySequence = CheckSequence(message.Sequence, message.PreviousSequence);
        if (bySequence is Arrival.Duplicate or Arrival.Inconsistent || message.IsSystem)
        {
            return;
        }

        if (!_codec.TryRead(message.Text, out ChatText text)
            || (uint)text.Sender >= (uint)_roster.Clients
            || _roster.RoomOf(text.Sender) != _room
            || _roster.GetPlayerId(text.Sender) != message.PlayerId)
        {
            Increment(ref _corrupted);
            return;
        }

        if (message.PreviousSequence == message.Sequence - 1)
        {
            _verified?.Add(message.Sequence, body, text);
        }

        CountFromSender(text, bySequence, now, window);
    }

    private static void Increment(ref long counter) => Volatile.Write(ref counter, counter + 1);

    private void CountFromSender(ChatText text, Arrival bySequence, long now, MeasureWindow window)
    {
        Arrival byNumber = _senders[_roster.PlaceOf(text.Sender)].Accept(text.Number, text.Number - 1);
        if (byNumber == Arrival.Duplicate)
        {
            Increment(ref _duplicated); // sent on twice, under two sequences
            return;
        }

        if (byNumber == Arrival.Late && bySequence != Arrival.Late)
        {
            Increment(ref _reordered); // got its sequence after a later one of the same sender
        }

        Count(text.PlannedNanoseconds, now, window);
    }

    private Arrival CheckSequence(long sequence, long previous)
    {
        Arrival arrival = _sequence.Accept(sequence, previous);
        switch (arrival)
        {
            case Arrival.Duplicate:
                Increment(ref _duplicated);
                break;
            case Arrival.Late:
                Increment(ref _reordered);
                break;
            case Arrival.Inconsistent:
                Increment(ref _corrupted);
                break;
        }

        return arrival;
    }

    private void Count(long planned, long now, MeasureWindow window)
    {
        Increment(ref _delivered);
        if (window.Contains(planned))
        {
            Increment(ref _measuredCount);
            _measured.Record(now - planned);
        }
        else
        {
            _unmeasured.Record(now - planned);
        }
    }
}
