namespace PlayChat.Benchmark.Chat;

/// <summary>Checks every delivery of a receiver: the room's sequence, the sender, the sender's count, every byte of the text.</summary>
/// <remarks>
/// Only the receiver's loop uses it. Without faults it allocates nothing. It also finds messages that the server lost before they got a
/// sequence, because the senders' own numbers are known.
/// </remarks>
/// <param name="verified">The room's; without it every delivery is read anew.</param>
internal sealed class DeliveryChecker(
    ChatRoster roster, ChatTextCodec codec, int receiver, FanoutLog log, VerifiedMessages? verified = null)
{
    private OrderTracker _sequence;
    private long _roomId;

    public DeliveryCounter Counter { get; } = new(roster, receiver, log);

    /// <summary>The receiver is in its room from this sequence on.</summary>
    public void OnJoined(long roomId, long latestSequence)
    {
        _roomId = roomId;
        _sequence = new OrderTracker(latestSequence);
    }

    /// <summary>Notes that another player has joined, which takes a sequence too.</summary>
    public void OnOtherJoined(long roomId, long sequence, long previousSequence)
    {
        Counter.Add(roomId == _roomId ? _sequence.Accept(sequence, previousSequence) : Arrival.Inconsistent);
    }

    public void OnChat(ReadOnlySpan<byte> body, long now, MeasureWindow window)
    {
        long next = _sequence.Last + 1;
        if (verified is not null && verified.Contains(next, body, out ChatText known))
        {
            Counter.Accept(known, next, isKnownLate: _sequence.Accept(next, next - 1) == Arrival.Late, now, window);
            return;
        }

        if (!RoomChatNotification.TryRead(body, out RoomChatNotification message) || message.RoomId != _roomId)
        {
            Counter.Add(Arrival.Inconsistent);
            return;
        }

        Arrival bySequence = _sequence.Accept(message.Sequence, message.PreviousSequence);
        Counter.Add(bySequence);
        if (bySequence is Arrival.Duplicate or Arrival.Inconsistent || message.IsSystem)
        {
            return;
        }

        if (!codec.TryRead(message.Text, out ChatText text)
            || !Counter.Knows(text.Sender)
            || roster.PlayerIds[text.Sender] != message.PlayerId)
        {
            Counter.Add(Arrival.Inconsistent);
            return;
        }

        if (message.PreviousSequence == message.Sequence - 1)
        {
            verified?.Add(message.Sequence, body, text);
        }

        // When its sequence is in order, its sender's count may still not be: it got its sequence after a later one.
        Counter.Accept(text, message.Sequence, isKnownLate: bySequence == Arrival.Late, now, window);
    }
}
