using System.Diagnostics;
using PlayChat.Chat.Rooms.Order;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms;

/// <summary>A chat room: it admits players, takes what they say, and gives members that return what they have missed.</summary>
/// <remarks>
/// <see cref="RoomOrder"/> decides when something is heard and its sender answered; <see cref="RoomJournal"/> keeps the newest events. What
/// the room offers to its order is for the room's turn alone.
/// </remarks>
internal sealed class ChatRoom : Room<ChatMember, RoomJoin>
{
    private readonly ChatRoomServices _services;
    private readonly RoomOrder _order;
    private readonly SRoomChatRes _answer = new(); // refilled and encoded at once for each answer, so one is enough
    private readonly SRoomChatNtf _message = new(); // refilled and encoded at once for each message, so one is enough

    /// <summary>Makes a new room.</summary>
    /// <param name="context">The context from the registry.</param>
    /// <param name="services">What all rooms have in common.</param>
    /// <param name="order">The order of this room.</param>
    /// <param name="kind">The type and properties.</param>
    public ChatRoom(RoomContext context, ChatRoomServices services, RoomOrder order, RoomKind kind)
        : this(context, services, order, kind, earlier: null, said: [])
    {
    }

    /// <summary>Makes a room of an earlier run, or a replica of a room of the cluster.</summary>
    /// <param name="context">The context from the registry.</param>
    /// <param name="services">What all rooms have in common.</param>
    /// <param name="order">The order of this room.</param>
    /// <param name="earlier">The room as stored, with the sequence behind which it continues.</param>
    /// <param name="said">Its last messages that are stored, oldest first.</param>
    public ChatRoom(
        RoomContext context, ChatRoomServices services, RoomOrder order, RoomPosition earlier, IReadOnlyList<ChatRecord> said)
        : this(context, services, order, RoomKind.Parse(earlier.Attributes), earlier, said)
    {
    }

    private ChatRoom(
        RoomContext context,
        ChatRoomServices services,
        RoomOrder order,
        RoomKind kind,
        RoomPosition? earlier,
        IReadOnlyList<ChatRecord> said)
        : base(context)
    {
        _services = services;
        _order = order;
        Kind = kind;
        Earlier = earlier;
        Journal = new RoomJournal(services, earlier, said);
        order.Begin(this, said);
        foreach ((string key, string value) in kind.Properties)
        {
            SetProperty(key, value);
        }

        SetPrivate(true); // lists show a room that has members
    }

    /// <summary>Where the room stood in an earlier run; <see langword="null"/> for a new room.</summary>
    public RoomPosition? Earlier { get; }

    /// <summary>The room's type and properties.</summary>
    public RoomKind Kind { get; }

    /// <summary>The sequence of the newest event. Safe to read from any thread.</summary>
    public long LatestSequence => Journal.LatestSequence;

    /// <summary>Whether the room is from an earlier run and has had no member since. Approximate when read outside the turn.</summary>
    public bool IsUntouched => Earlier is not null && LatestSequence == Earlier.LastSequence;

    /// <summary>The sequences, and the newest events. For the order.</summary>
    public RoomJournal Journal { get; }

    /// <summary>The members on this server as clients see them. For the order.</summary>
    public IEnumerable<Member> Present => Members.Select(static member => member.Shown);

    /// <summary>Whether the room has ended. For the order.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Orders a text, delivers it to every member, and answers.</summary>
    [Packet(PacketId.CRoomChatReq), UseFilter(typeof(ChatLogSpaceFilter)), MaxBodyBytes(2 * ChatLimits.MaxTextBytes)]
    public void OnChat(PacketContext context, ChatMember member, CRoomChatReq said)
    {
        if (ChatText.TryClean(said.Text, out string text))
        {
            _order.Say(context, member, said, text);
        }
        else
        {
            Fail(context, ErrorCode.TextInvalid, ChatText.Invalid);
        }
    }

    /// <summary>Ends the membership of the sender.</summary>
    [Packet(PacketId.CLeaveRoomReq), MaxBodyBytes(1024)]
    public SLeaveRoomAck OnLeaveRequest(ChatMember member, CLeaveRoomReq request)
    {
        Leave(member.Session);
        return new SLeaveRoomAck { RoomId = Id };
    }

    /// <summary>Ends the room if it has no members.</summary>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>The members that it has; <see langword="null"/> when it had ended before.</returns>
    public Task<int?> CloseIfEmptyAsync(CancellationToken cancellationToken) => AskAsync<int?>(
        static room =>
        {
            if (room.MemberCount == 0)
            {
                room.Close();
            }

            return room.MemberCount;
        },
        cancellationToken);

    /// <summary>Says something in the name of an account, which need not be a member.</summary>
    /// <param name="from">The account.</param>
    /// <param name="messageId">Its number for the text; 0 for none.</param>
    /// <param name="text">The text.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>Whether it was taken; <see langword="null"/> when the room has ended.</returns>
    public Task<bool?> SayAsync(Member from, ulong messageId, string text, CancellationToken cancellationToken) =>
        AskAsync<bool?>(room => room.IsClosed ? null : room._order.TrySay(from, messageId, text), cancellationToken);

    /// <summary>Whether a session is a member after everything that it has asked the room for before.</summary>
    /// <param name="session">The session.</param>
    /// <param name="cancellationToken">Cancelled when the peer's connection ends.</param>
    public Task<bool> HasMemberAsync(Session session, CancellationToken cancellationToken) =>
        AskAsync(room => room.Find(session) is not null, cancellationToken);

    /// <summary>Reads what the room's memory has of a page of its history.</summary>
    /// <param name="session">The session that asks.</param>
    /// <param name="isAfter">Whether the page lies after the sequence; otherwise before it.</param>
    /// <param name="sequence">Exclusive.</param>
    /// <param name="limit">The maximum number of messages.</param>
    /// <param name="pageBytes">The approximate maximum size in bytes; one message is always allowed.</param>
    /// <param name="cancellationToken">Cancelled when the peer's connection ends.</param>
    /// <returns><see langword="null"/> when the session is not a member.</returns>
    public Task<HistorySlice?> ReadRecentAsync(
        Session session, bool isAfter, long sequence, int limit, int pageBytes, CancellationToken cancellationToken) =>
        AskAsync(
            room => room.Find(session) is null ? null
                : isAfter ? room.Journal.History.After(room.Id, sequence, limit, pageBytes)
                : room.Journal.History.Before(room.Id, sequence, limit, pageBytes),
            cancellationToken);

    /// <summary>Measures what the room can resend to a session that has seen a sequence.</summary>
    /// <param name="seen">The last sequence that the client has seen.</param>
    /// <param name="maxBytes">The most bytes that the room may resend.</param>
    /// <param name="cancellationToken">Cancelled when the session's new connection ends.</param>
    /// <returns><see langword="null"/> when the room has been removed.</returns>
    public Task<RoomStanding?> MeasureAsync(long seen, int maxBytes, CancellationToken cancellationToken) =>
        AskAsync(room => room.Measure(seen, maxBytes), cancellationToken);

    /// <summary>Measures what the room can resend to a member that resumes, and prepares its return.</summary>
    /// <param name="session">The member's session.</param>
    /// <param name="seen">The last sequence that the client has seen.</param>
    /// <param name="maxBytes">The most bytes that the room may resend.</param>
    /// <param name="cancellationToken">Cancelled when the member's new connection ends.</param>
    /// <returns><see langword="null"/> when the session is not a member.</returns>
    public Task<RoomStanding?> PrepareReturnAsync(Session session, long seen, int maxBytes, CancellationToken cancellationToken) =>
        AskAsync(
            room =>
            {
                if (room.Find(session) is not { } member)
                {
                    return null;
                }

                RoomStanding standing = room.Measure(seen, maxBytes);
                member.ReplayAfter = standing.CanRecover ? seen : null;
                return standing;
            },
            cancellationToken);

    /// <summary>Sends an event to every member but one, and keeps it in the room's memory. For the order.</summary>
    /// <param name="happened">The event, with its sequence.</param>
    /// <param name="except">A session that is told in another way.</param>
    /// <param name="turn">The span of an earlier turn to which the delivery belongs.</param>
    public void Deliver(in RoomEvent happened, Session? except = null, Activity? turn = null)
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

        Journal.History.Add(happened with { Bytes = bodyBytes });
        if (turn is not null)
        {
            ContinueTrace(turn.Context);
        }
    }

    /// <summary>
    /// Hands a message to the chat log. A message that the log refuses is lost once the memory drops it, so that is noted. For the order.
    /// </summary>
    public void Store(in RoomEvent said, ulong clientMessageId = 0)
    {
        if (!_services.Log.Append(said.ToRecord(Id, Name, clientMessageId)))
        {
            Journal.History.NoteRefused(said.Sequence);
        }
    }

    /// <summary>Answers a message that has its sequence. For the order.</summary>
    public void AnswerSaid(PacketContext request, CRoomChatReq said, long sequence, bool isDuplicate)
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

    /// <summary>Sends an error, which even a request without an id gets. For the order.</summary>
    public void Fail(PacketContext request, ErrorCode code, string message, TimeSpan retryAfter = default) =>
        Send(request, ChatPackets.SErrorNtf, Answers.Error(request.PacketId, code, message, retryAfter));

    /// <summary>Tells every member how the room stands, because events are missing. For the order.</summary>
    public void SendStates()
    {
        foreach (ChatMember member in Members)
        {
            SendState(member.Session);
        }
    }

    /// <summary>Ends the room, which has no members. For the order.</summary>
    public void Close()
    {
        if (IsClosed)
        {
            return;
        }

        IsClosed = true;
        _order.Close(Remove);
        _services.Quotas.GiveBack(Kind.CreatorId);
    }

    /// <inheritdoc/>
    protected override JoinDecision<ChatMember> OnJoining(Session session, RoomJoin join) =>
        _order.Admits(join.Request) ? new ChatMember(session, join) : Refuse(Answers.NoSuchRoom(Id));

    /// <inheritdoc/>
    protected override void OnJoined(ChatMember member)
    {
        SetPrivate(false);
        _order.Join(member);
        switch ((PacketId)member.Request.PacketId)
        {
            case PacketId.CResumeReq:
                OnReturn(member);
                break;
            case PacketId.CCreateRoomReq:
                AnswerCreated(member);
                break;
            default:
                AnswerJoined(member);
                break;
        }
    }

    /// <inheritdoc/>
    protected override void OnReturn(ChatMember member)
    {
        long? seen = member.ReplayAfter;
        member.ReplayAfter = null;
        if (seen is { } after && Journal.History.Reaches(after))
        {
            Replay(member.Session, after);
        }
        else
        {
            SendState(member.Session);
        }
    }

    /// <inheritdoc/>
    protected override void OnLeave(ChatMember member, LeaveReason reason)
    {
        ServerLog.RoomLeft(_services.Logger, member.Shown.PlayerId, member.Session.Id, Id);
        _order.Leave(member, reason);
    }

    /// <inheritdoc/>
    protected override void OnEmpty()
    {
        // A room that lasts ends only if it was made or woken for a player that did not enter.
        if (!_services.Settings.Lasting || IsUntouched || LatestSequence == 0)
        {
            Close();
        }
    }

    private void AnswerJoined(ChatMember member)
    {
        Answer(member.Request, ChatPackets.SJoinRoomRes, new SJoinRoomRes
        {
            RoomId = Id,
            Name = Name,
            LatestSequence = Journal.History.Latest,
            Members = { _order.Roster },
            History = { Journal.ReadNewest(Id) },
            Type = Kind.Type,
            Properties = { Kind.Properties },
            Epoch = _order.Epoch,
        });
        ServerLog.RoomJoined(_services.Logger, member.Shown.PlayerId, member.Session.Id, Id, LatestSequence);
    }

    private void AnswerCreated(ChatMember member)
    {
        Answer(member.Request, ChatPackets.SCreateRoomRes, new SCreateRoomRes
        {
            RoomId = Id,
            Name = Name,
            Members = { _order.Roster },
            LatestSequence = Journal.History.Latest,
            Epoch = _order.Epoch,
        });
        ServerLog.RoomCreated(_services.Logger, member.Shown.PlayerId, member.Session.Id, Id, Name);
    }

    /// <summary>Tells a member how the room stands, in place of what it has missed.</summary>
    private void SendState(Session session)
    {
        var state = new SRoomStateNtf
        {
            RoomId = Id,
            Name = Name,
            LatestSequence = Journal.History.Latest,
            Members = { _order.Roster },
            Epoch = _order.Epoch,
        };
        SendPacket(session, state, type: ChatPackets.SRoomStateNtf);
    }

    /// <summary>Sends every event after a sequence to one member.</summary>
    private void Replay(Session session, long after)
    {
        foreach (RoomEvent missed in Journal.History.EventsAfter(after))
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

    private RoomStanding Measure(long seen, int maxBytes)
    {
        RoomStanding standing = Journal.History.Measure(seen);
        return standing with { CanRecover = standing.CanRecover && standing.MissedBytes <= maxBytes, Epoch = _order.Epoch };
    }

    /// <summary>Runs a question in the room's turn.</summary>
    /// <returns>The default when the room has been removed.</returns>
    private async Task<TAnswer?> AskAsync<TAnswer>(Func<ChatRoom, TAnswer> question, CancellationToken cancellationToken)
    {
        try
        {
            return await this.RequestAsync(question, cancellationToken);
        }
        catch (RoomRemovedException)
        {
            return default;
        }
    }

    /// <summary>Answers a request, unless its sender wants no answer.</summary>
    private void Answer<TMessage>(PacketContext request, PacketType<TMessage> type, TMessage message)
    {
        if (request.RequestId != 0)
        {
            Send(request, type, message);
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
