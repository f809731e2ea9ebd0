using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Diagnostics;
using PlayChat.Storage;

namespace PlayChat.Server.Rooms;

/// <summary>A room that orders its events and delivers each to the members: at once, or when the store has it.</summary>
/// <remarks>
/// <para>
/// <see cref="RoomJournal"/> keeps the order and the memory of events, <see cref="UnstoredQueue"/> what waits for the store. The
/// protected members are for the room's turn alone.
/// </para>
/// <para>
/// With ChatLog:Durability Stored an event gets its sequence at once. The room delivers it when the store has it and all messages before it.
/// Membership does not wait: a player who joins is a member at once, and hears what was ordered before as soon as it is stored.
/// </para>
/// </remarks>
internal abstract class OrderedRoom : AnsweringRoom
{
    private const string NotStoredYet =
        "The server cannot store messages now. This one may still be stored and heard later: "
        + "send it again with the same client_message_id to find out.";

    private readonly ChatRoomServices _services;
    private readonly RoomJournal _journal;
    private readonly UnstoredQueue? _unstored; // null with Durability Async
    private readonly SRoomChatNtf _message = new(); // refilled and encoded at once for each message, so one is enough

    /// <param name="context">From the registry.</param>
    /// <param name="services">What all rooms have in common.</param>
    /// <param name="earlier">Where the room stood in an earlier run; <see langword="null"/> for a new room.</param>
    protected OrderedRoom(RoomContext context, ChatRoomServices services, RoomPosition? earlier)
        : base(context)
    {
        _services = services;
        _journal = new RoomJournal(services, earlier);
        _unstored = services.Delivery.IsStored ? new UnstoredQueue() : null;
    }

    /// <summary>The sequence of the newest event. Safe to read from any thread.</summary>
    public long LatestSequence => _journal.LatestSequence;

    /// <summary>The timestamp of the oldest entry that waits for the store; 0 when none waits. Safe to read from any thread.</summary>
    public long OldestUnstored => _unstored?.OldestTimestamp ?? 0;

    /// <summary>The newest events.</summary>
    protected RoomHistory History => _journal.History;

    /// <summary>Delivers the messages up to a sequence, which the store has now. Safe to call from any thread.</summary>
    public void NoteStored(long sequence) => Post(static (room, through) => room.DeliverStored(through), sequence);

    /// <summary>Fails the requests that have waited for the store since before a timestamp. Safe to call from any thread.</summary>
    public void NoteOverdue(long timestamp) => Post(static (room, since) => room.FailOverdue(since), timestamp);

    /// <summary>Orders a message and hands it to the chat log. Members hear it now, or when it is stored.</summary>
    /// <param name="kind">What happened.</param>
    /// <param name="who">The player that spoke or left.</param>
    /// <param name="text">What is said.</param>
    /// <param name="request">The request to answer, if a player said it.</param>
    /// <param name="packet">The packet of that request.</param>
    protected long Publish(RoomEventKind kind, Member who, string text, RoomRequest? request = null, CRoomChatReq? packet = null)
    {
        RoomEvent said = _journal.Next(kind, who, text);
        if (_unstored is null)
        {
            Deliver(in said, request, packet);
        }
        else
        {
            _services.Delivery.Add(this); // before the log can have stored it
            _unstored.Add(new UnstoredMessage(said, request, packet, _services.Time.GetTimestamp()));
        }

        _journal.Store(in said, Id, Name);
        return said.Sequence;
    }

    /// <summary>Orders a join. It goes to the memory, for members that resume, and not to the chat log.</summary>
    protected void PublishJoin(Member joined)
    {
        RoomEvent join = _journal.Next(RoomEventKind.Join, joined);
        if (_unstored is null or { IsEmpty: true })
        {
            Deliver(in join, request: null, packet: null);
        }
        else
        {
            _unstored.Add(new UnstoredMessage(join, Request: null, Packet: null, _services.Time.GetTimestamp()));
        }
    }

    /// <summary>Answers a message that the room has ordered before: now, or when it is stored.</summary>
    protected void AnswerRepeat(RoomRequest request, CRoomChatReq said, long sequence)
    {
        if (_unstored?.Find(sequence) is not { } unstored)
        {
            AnswerSaid(request, said, sequence, isDuplicate: true);
        }
        else if (!unstored.TryAddRepeat(request))
        {
            Fail(request, ErrorCode.StorageUnavailable, NotStoredYet);
        }
    }

    /// <summary>Drops the events that wait for the store, because the room has no members.</summary>
    protected void ForgetUnstored()
    {
        if (_unstored is not null)
        {
            _unstored.Clear();
            _services.Delivery.Remove(this);
        }
    }

    /// <summary>Reads the newest messages, for a player who joins.</summary>
    protected List<SRoomChatNtf> ReadNewest() => _journal.ReadNewest(Id);

    /// <summary>Sends every event after a sequence to one member.</summary>
    protected void Replay(Session session, long after)
    {
        foreach (RoomEvent missed in History.EventsAfter(after))
        {
            if (missed.IsMessage)
            {
                missed.Fill(_message, Id);
                SendPacket(session, ChatPackets.SRoomChatNtf, _message);
            }
            else
            {
                SendPacket(session, ChatPackets.SJoinRoomNtf, missed.ToJoin(Id));
            }
        }
    }

    // When the queue is full the job waits in it.
    private void Post(Action<OrderedRoom, long> job, long argument) =>
        _ = this.PostAsync(
            static (OrderedRoom room, Action<OrderedRoom, long> run, object value) => run(room, (long)value),
            job,
            (object)argument,
            CancellationToken.None).AsTask();

    /// <summary>Sends an event to every member, keeps it in the room's memory, and answers the request that caused it.</summary>
    private void Deliver(in RoomEvent happened, RoomRequest? request, CRoomChatReq? packet)
    {
        int bodyBytes;
        if (happened.IsMessage)
        {
            happened.Fill(_message, Id);
            bodyBytes = Broadcast(ChatPackets.SRoomChatNtf, _message);
        }
        else
        {
            bodyBytes = Broadcast(ChatPackets.SJoinRoomNtf, happened.ToJoin(Id));
        }

        _journal.History.Add(happened with { Bytes = bodyBytes });
        if (request is not null)
        {
            AnswerSaid(request, packet!, happened.Sequence, isDuplicate: false);
            ServerLog.Broadcast(_services.Logger, Id, happened.Sequence, happened.Who.PlayerId, request.Session.Id, MemberCount);
        }
    }

    private void DeliverStored(long through)
    {
        while (_unstored!.TakeStored(through) is { } stored)
        {
            Deliver(stored.Said, stored.Request, stored.Packet);
            foreach (RoomRequest repeat in stored.Repeats ?? [])
            {
                AnswerSaid(repeat, stored.Packet!, stored.Said.Sequence, isDuplicate: true);
            }
        }

        if (_unstored.IsEmpty)
        {
            _services.Delivery.Remove(this);
        }
    }

    private void FailOverdue(long since)
    {
        foreach (RoomRequest request in _unstored!.WaitingSince(since).Where(static request => !request.IsAnswered).ToArray())
        {
            Fail(request, ErrorCode.StorageUnavailable, NotStoredYet);
        }
    }
}
