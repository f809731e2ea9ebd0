using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Replies;
using PlayChat.Storage;

namespace PlayChat.Server.Rooms;

/// <summary>A room that orders its events and delivers each to the members: at once, or when the store has it.</summary>
/// <remarks>
/// <para>
/// <see cref="RoomJournal"/> keeps the order and the memory of events, <see cref="UnstoredQueue"/> what waits for the store. The
/// protected members are for the room's turn alone.
/// </para>
/// <para>
/// With ChatLog:Durability Stored an event gets its sequence at once. The room delivers it when the store has it and all messages before
/// it. Membership does not wait: a joining player is a member at once, and hears earlier messages as soon as they are stored.
/// </para>
/// </remarks>
internal abstract class OrderedRoom : Room<ChatMember, PacketContext>
{
    private const string NotStoredYet =
        "The server cannot store messages now. Your message may still be stored and delivered later: "
        + "send it again with the same client_message_id to find out.";

    private const string NeverStored =
        "The database does not take your message. It is neither stored nor delivered: ask the operator to look into the server's log.";

    private readonly ChatRoomServices _services;
    private readonly RoomJournal _journal;
    private readonly UnstoredQueue? _unstored; // null with Durability Async
    private readonly SRoomChatRes _answer = new(); // refilled and encoded at once for each answer, so one is enough
    private readonly SRoomChatNtf _message = new(); // refilled and encoded at once for each message, so one is enough

    /// <param name="context">From the registry.</param>
    /// <param name="services">What all rooms have in common.</param>
    /// <param name="earlier">Where the room stood in an earlier run; <see langword="null"/> for a new room.</param>
    /// <param name="lastMessage">The last message of that run, where it is known and is not the last sequence.</param>
    protected OrderedRoom(RoomContext context, ChatRoomServices services, RoomPosition? earlier, long? lastMessage)
        : base(context)
    {
        _services = services;
        _journal = new RoomJournal(services, earlier, lastMessage);
        _unstored = services.Delivery.IsStored ? new UnstoredQueue() : null;
    }

    /// <summary>The sequence of the newest event. Safe to read from any thread.</summary>
    public long LatestSequence => _journal.LatestSequence;

    /// <summary>The timestamp of the oldest entry that waits for the store; 0 when none waits. Safe to read from any thread.</summary>
    public long OldestUnstored => _unstored?.OldestTimestamp ?? 0;

    /// <summary>The newest events.</summary>
    protected RoomHistory History => _journal.History;

    /// <summary>The order and the memory of the room.</summary>
    protected RoomJournal Journal => _journal;

    /// <summary>Delivers the messages up to a sequence, which the store has now. Safe to call from any thread.</summary>
    public void NoteStored(long sequence) => Post(static (room, through) => room.DeliverStored(through), sequence);

    /// <summary>Notes a message that the store refuses for good, in its place among the others. Safe to call from any thread.</summary>
    public void NoteRefused(long sequence) => Post(static (room, refused) => room.Refuse(refused), sequence);

    /// <summary>Fails the requests that have waited for the store since before a timestamp. Safe to call from any thread.</summary>
    public void NoteOverdue(long timestamp) => Post(static (room, since) => room.FailOverdue(since), timestamp);

    /// <summary>Orders a message and hands it to the chat log. Members hear it now, or when it is stored.</summary>
    /// <param name="kind">What happened.</param>
    /// <param name="who">The player that spoke or left.</param>
    /// <param name="text">The text.</param>
    /// <param name="request">The request to answer, if a player said it.</param>
    /// <param name="packet">The packet of that request.</param>
    protected long Publish(RoomEventKind kind, Member who, string text, PacketContext request = default, CRoomChatReq? packet = null)
    {
        RoomEvent said = _journal.Next(kind, who, text);
        if (_unstored is null)
        {
            Deliver(in said);
            if (packet is not null)
            {
                AnswerSaid(request, packet, said.Sequence, isDuplicate: false);
            }
        }
        else
        {
            _services.Delivery.Add(this); // before the log can have stored it
            RoomRequest? waiting = packet is null ? null : new RoomRequest(request);
            _unstored.Add(new UnstoredMessage(said, waiting, packet, _services.Time.GetTimestamp()));
        }

        _journal.Store(in said, Id, Name, packet?.ClientMessageId ?? 0);
        return said.Sequence;
    }

    /// <summary>Orders a join. It goes to the memory, for members that resume, and not to the chat log.</summary>
    /// <param name="joined">The new member. It gets its answer instead, unless the event waits for the store.</param>
    protected void PublishJoin(ChatMember joined)
    {
        RoomEvent join = _journal.Next(RoomEventKind.Join, joined.Shown);
        if (_unstored is null or { IsEmpty: true })
        {
            Deliver(join with { PreviousSequence = History.Latest }, except: joined.Session);
        }
        else
        {
            _unstored.Add(new UnstoredMessage(join, Request: null, Packet: null, _services.Time.GetTimestamp()));
        }
    }

    /// <summary>Answers a message that the room has ordered before: now, or when it is stored.</summary>
    protected void AnswerRepeat(PacketContext request, CRoomChatReq said, long sequence)
    {
        if (_unstored?.Find(sequence) is not { } unstored)
        {
            AnswerSaid(request, said, sequence, isDuplicate: true);
        }
        else if (!unstored.TryAddRepeat(new RoomRequest(request)))
        {
            Fail(request, ErrorCode.StorageUnavailable, NotStoredYet);
        }
    }

    /// <summary>Answers a request, unless its sender wants no answer.</summary>
    protected void Answer<TMessage>(PacketContext request, PacketType<TMessage> type, TMessage message)
    {
        if (request.RequestId != 0)
        {
            Send(request, type, message);
        }
    }

    /// <summary>Sends an error, which even a request without an id gets.</summary>
    protected void Fail(PacketContext request, ErrorCode code, string message, TimeSpan retryAfter = default) =>
        Send(request, ChatPackets.SErrorNtf, Answers.Error(request.PacketId, code, message, retryAfter));

    /// <summary>Drops the events that wait for the store, because the room has no members.</summary>
    protected void ForgetUnstored()
    {
        if (_unstored is not null)
        {
            _unstored.Clear();
            _services.Delivery.Remove(this);
        }
    }

    /// <summary>Reads the newest messages, for a joining player.</summary>
    protected List<SRoomChatNtf> ReadNewest() => _journal.ReadNewest(Id);

    /// <summary>Sends every event after a sequence to one member.</summary>
    protected void Replay(Session session, long after)
    {
        foreach (RoomEvent missed in History.EventsAfter(after))
        {
            if (missed.IsMessage)
            {
                missed.Fill(_message, Id);
                SendPacket(session, _message, type: ChatPackets.SRoomChatNtf);
            }
            else
            {
                SendPacket(session, missed.ToJoin(Id), type: ChatPackets.SJoinRoomNtf);
            }
        }
    }

    // When the queue is full the job waits in it.
    private void Post(Action<OrderedRoom, long> job, long argument) =>
        _ = this.PostAsync(
            static (OrderedRoom room, Tuple<Action<OrderedRoom, long>, long> run) => run.Item1(room, run.Item2),
            Tuple.Create(job, argument),
            CancellationToken.None).AsTask();

    /// <summary>Sends an event to every member but one, and keeps it in the room's memory.</summary>
    protected void Deliver(in RoomEvent happened, Session? except = null)
    {
        int bodyBytes;
        if (happened.IsMessage)
        {
            happened.Fill(_message, Id);
            bodyBytes = Broadcast(ChatPackets.SRoomChatNtf, _message, except);
        }
        else
        {
            bodyBytes = Broadcast(ChatPackets.SJoinRoomNtf, happened.ToJoin(Id), except);
        }

        _journal.Add(happened with { Bytes = bodyBytes });
    }

    /// <summary>Lets the player's message with an id be new when it is sent again.</summary>
    protected abstract void Forget(long playerId, ulong clientMessageId);

    private void Refuse(long sequence)
    {
        if (_unstored!.Find(sequence) is { } refused)
        {
            refused.IsRefused = true;
            DeliverStored(through: 0); // it waits for nothing but the messages before it
        }
    }

    private void DeliverStored(long through)
    {
        while (_unstored!.TakeStored(through) is { } stored)
        {
            if (stored is { IsRefused: true, Packet: { } packet })
            {
                Forget(stored.Said.Who.PlayerId, packet.ClientMessageId);
                FailAll(stored.Requests, NeverStored);
                continue;
            }

            // A refused message leaves no hole that members could see. Its sequence stays unused.
            Deliver(stored.Said with { PreviousSequence = History.Latest });
            if (stored.IsRefused)
            {
                History.NoteRefused(stored.Said.Sequence); // of SYSTEM: members hear who has left, stored or not
            }

            if (stored.Request is { } request)
            {
                AnswerSaid(request, stored.Packet!, stored.Said.Sequence, isDuplicate: false);
            }

            foreach (RoomRequest repeat in stored.Repeats ?? [])
            {
                AnswerSaid(repeat, stored.Packet!, stored.Said.Sequence, isDuplicate: true);
            }

            if (stored.Turn is { } turn)
            {
                ContinueTrace(turn.Context);
            }
        }

        if (_unstored.IsEmpty)
        {
            _services.Delivery.Remove(this);
        }
    }

    private void FailOverdue(long since) =>
        FailAll(_unstored!.WaitingSince(since), NotStoredYet);

    private void FailAll(IEnumerable<RoomRequest> requests, string reason)
    {
        foreach (RoomRequest request in requests.Where(static request => !request.IsAnswered).ToArray())
        {
            Fail(request.Context, ErrorCode.StorageUnavailable, reason);
            request.IsAnswered = true;
        }
    }

    /// <summary>Answers a request that has waited, unless it was failed meanwhile.</summary>
    protected void AnswerSaid(RoomRequest request, CRoomChatReq said, long sequence, bool isDuplicate)
    {
        if (!request.IsAnswered)
        {
            AnswerSaid(request.Context, said, sequence, isDuplicate);
        }
    }

    /// <summary>Answers a message that has its place.</summary>
    protected void AnswerSaid(PacketContext request, CRoomChatReq said, long sequence, bool isDuplicate)
    {
        _answer.RoomId = Id;
        _answer.Sequence = sequence;
        _answer.ClientMessageId = said.ClientMessageId;
        _answer.Duplicate = isDuplicate;
        Answer(request, ChatPackets.SRoomChatRes, _answer);
        if (!isDuplicate)
        {
            Session sender = request.Session;
            ServerLog.Broadcast(_services.Logger, Id, sequence, sender.User!.Id, sender.Id, MemberCount);
        }
    }

    // A session that has resumed meanwhile is on another connection, where the request id means another request or none.
    private void Send<TMessage>(PacketContext request, PacketType<TMessage> type, TMessage message)
    {
        Session sender = request.Session;
        if (sender.Connection == request.Connection)
        {
            SendPacket(sender, message, request.RequestId, type: type);
        }
    }

    /// <summary>Encodes a packet once for every member but one.</summary>
    /// <returns>The length of its body in bytes.</returns>
    private int Broadcast<TMessage>(PacketType<TMessage> type, TMessage message, Session? except)
    {
        int bodyBytes = type.GetBodyBytes(message);
        Broadcast(new FrameHeader(type.Id), bodyBytes, (type, message), Write, except: except);
        return bodyBytes;

        static void Write(Span<byte> destination, (PacketType<TMessage> Type, TMessage Message) packet) =>
            packet.Type.Encode(packet.Message, destination);
    }
}
