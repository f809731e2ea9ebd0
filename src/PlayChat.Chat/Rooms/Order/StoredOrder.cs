using System.Diagnostics;

namespace PlayChat.Chat.Rooms.Order;

/// <summary>
/// ChatLog:Durability Stored: an event gets its sequence at once, and is heard when the store has it and all messages before it.
/// </summary>
/// <remarks>
/// Membership does not wait: a joining player is a member at once, and hears earlier messages as soon as they are stored.
/// </remarks>
internal sealed class StoredOrder(ChatRoomServices services) : LocalOrder(services)
{
    private const string NotStoredYet =
        "The server cannot store messages now. Your message may still be stored and delivered later: "
        + "send it again with the same client_message_id to find out.";

    private const string NeverStored =
        "The database does not take your message. It is neither stored nor delivered: ask the operator to look into the server's log.";

    private readonly Queue<UnstoredEvent> _unstored = new();
    private long _oldest;

    /// <summary>When the oldest event was ordered that waits, as a timestamp; 0 when none waits. Any thread may read it.</summary>
    public long OldestUnstored => Interlocked.Read(ref _oldest);

    /// <summary>Delivers the messages up to a sequence, which the store has now. Safe to call from any thread.</summary>
    public void NoteStored(long sequence) => Post(this, static (order, through) => order.DeliverStored(through), sequence);

    /// <summary>Notes a message that the store refuses for good, in its place among the others. Safe to call from any thread.</summary>
    public void NoteRefused(long sequence) => Post(this, static (order, refused) => order.Refuse(refused), sequence);

    /// <summary>Fails the requests that have waited for the store since before a timestamp. Safe to call from any thread.</summary>
    public void NoteOverdue(long timestamp) => Post(
        this,
        static (order, since) => order.FailAll(
            order._unstored.Where(waiting => waiting.Since <= since).SelectMany(static waiting => waiting.Requests),
            ErrorCode.StorageUnavailable,
            NotStoredYet),
        timestamp);

    /// <inheritdoc/>
    /// <remarks>The store still gets the messages that wait.</remarks>
    public override void Close(Action remove)
    {
        base.Close(remove);
        _unstored.Clear();
        NoteOldest();
    }

    protected override void Hear(in RoomEvent happened, PacketContext request = default, CRoomChatReq? said = null, Session? except = null)
    {
        if (!happened.IsMessage && _unstored.Count == 0)
        {
            base.Hear(happened with { PreviousSequence = Room.Journal.History.Latest }, except: except);
            return;
        }

        RoomRequest? waiting = said is null ? null : new RoomRequest(request);
        _unstored.Enqueue(new UnstoredEvent(happened, waiting, said, Services.Time.GetTimestamp()));
        NoteOldest(); // before the log can have stored it
    }

    protected override void AnswerRepeat(PacketContext request, CRoomChatReq said, long sequence)
    {
        if (Find(sequence) is not { } unstored)
        {
            base.AnswerRepeat(request, said, sequence);
        }
        else if (!unstored.TryAddRepeat(new RoomRequest(request)))
        {
            Room.Fail(request, ErrorCode.StorageUnavailable, NotStoredYet);
        }
    }

    private UnstoredEvent? Find(long sequence) => _unstored.FirstOrDefault(waiting => waiting.Said.Sequence == sequence);

    private void Refuse(long sequence)
    {
        if (Find(sequence) is { } refused)
        {
            refused.IsRefused = true;
            DeliverStored(through: 0); // it waits for nothing but the messages before it
        }
    }

    private void DeliverStored(long through)
    {
        while (_unstored.TryPeek(out UnstoredEvent? stored) && stored.IsDue(through))
        {
            _unstored.Dequeue();
            if (stored is { IsRefused: true, Packet: { } packet })
            {
                Recent.Forget(stored.Said.Who.PlayerId, packet.ClientMessageId);
                FailAll(stored.Requests, ErrorCode.StorageUnavailable, NeverStored);
                continue;
            }

            // A refused message leaves no hole that members could see. Its sequence stays unused.
            Room.Deliver(stored.Said with { PreviousSequence = Room.Journal.History.Latest }, turn: stored.Turn);
            if (stored.IsRefused)
            {
                Room.Journal.History.NoteRefused(stored.Said.Sequence); // of SYSTEM: members hear who has left, stored or not
            }

            AnswerAll(stored, stored.Said.Sequence, isDuplicate: false);
        }

        NoteOldest();
    }

    private void NoteOldest()
    {
        Interlocked.Exchange(ref _oldest, _unstored.TryPeek(out UnstoredEvent? first) ? first.Since : 0);
        if (_unstored.Count > 0)
        {
            Services.Delivery.Add(this);
        }
        else
        {
            Services.Delivery.Remove(this);
        }
    }

    private sealed class UnstoredEvent(RoomEvent said, RoomRequest? request, CRoomChatReq? packet, long since)
        : PendingMessage(request, packet, since)
    {
        public RoomEvent Said => said;

        /// <summary>The span of the turn that ordered the event; <see langword="null"/> when it is not traced.</summary>
        public Activity? Turn { get; } = Activity.Current is { Recorded: true } turn ? turn : null;

        /// <summary>Whether the store refuses the message for good.</summary>
        public bool IsRefused { get; set; }

        /// <summary>Whether it waits no longer than for the events before it. A join is not stored.</summary>
        public bool IsDue(long storedThrough) => !said.IsMessage || IsRefused || said.Sequence <= storedThrough;
    }
}
