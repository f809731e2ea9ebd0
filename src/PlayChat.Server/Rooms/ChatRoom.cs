using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Replies;
using PlayChat.Storage;

namespace PlayChat.Server.Rooms;

/// <summary>A chat room: it admits players, takes what they say, and gives members that return what they have missed.</summary>
/// <remarks><see cref="OrderedRoom"/> orders the events and delivers them.</remarks>
internal class ChatRoom : OrderedRoom
{
    private readonly ChatRoomServices _services;
    private readonly long _creatorId;
    private readonly FormerMembers _former = new();
    private bool _isOpen;

    /// <param name="context">The context from the registry.</param>
    /// <param name="services">What all rooms have in common.</param>
    /// <param name="earlier">Where the room stood in an earlier run. Without it this is a new room, which waits for its creator.</param>
    /// <param name="said">The last messages of an earlier run, oldest first: a player that sends one of them again is told so.</param>
    /// <param name="creatorId">The player whose quota has the new room; 0 for one of an earlier run.</param>
    /// <param name="kind">The type and properties of a new room; one of an earlier run keeps its own.</param>
    /// <param name="lastMessage">The last message of an earlier run, where it is known and is not the last sequence.</param>
    public ChatRoom(
        RoomContext context,
        ChatRoomServices services,
        RoomPosition? earlier = null,
        IReadOnlyList<ChatRecord>? said = null,
        long creatorId = 0,
        RoomKind? kind = null,
        long? lastMessage = null)
        : base(context, services, earlier, lastMessage)
    {
        _former.Restore(said ?? [], services.Settings.RecentMessageIds);
        _services = services;
        _creatorId = creatorId;
        Earlier = earlier;
        _isOpen = earlier is not null;
        Kind = kind ?? RoomKind.Parse(earlier?.Attributes);
        foreach ((string key, string value) in Kind.Properties)
        {
            SetProperty(key, value);
        }

        SetPrivate(true); // until its first member enters
    }

    /// <summary>Where the room stood in an earlier run; <see langword="null"/> for a new room.</summary>
    public RoomPosition? Earlier { get; }

    /// <summary>The number of members on all nodes. Safe to read from any thread.</summary>
    public virtual int Population => MemberCount;

    /// <summary>The epoch of the room's sequences; 0 where they are dense.</summary>
    protected virtual uint Epoch => 0;

    /// <summary>The room's type and properties.</summary>
    public RoomKind Kind { get; }

    /// <summary>Whether the room is from an earlier run and has had no member since. Approximate when read outside the turn.</summary>
    public bool IsUntouched => Earlier is not null && LatestSequence == Earlier.LastSequence;

    /// <summary>The members as clients see them.</summary>
    protected virtual List<Member> Shown => Members.Select(static member => member.Shown).ToList();

    /// <summary>Orders a text, delivers it to every member, and answers.</summary>
    [Packet(PacketId.CRoomChatReq), UseFilter(typeof(ChatLogSpaceFilter)), MaxBodyBytes(2 * ChatLimits.MaxTextBytes)]
    public void OnChat(PacketContext context, ChatMember member, CRoomChatReq said)
    {
        if (!ChatText.TryClean(said.Text, out string text))
        {
            Fail(context, ErrorCode.TextInvalid, ChatText.Invalid);
        }
        else
        {
            Say(context, member, said, text);
        }
    }

    /// <summary>Ends the membership of the sender.</summary>
    [Packet(PacketId.CLeaveRoomReq), MaxBodyBytes(1024)]
    public SLeaveRoomAck OnLeaveRequest(ChatMember member, CLeaveRoomReq request)
    {
        Leave(member.Session);
        return new SLeaveRoomAck { RoomId = Id };
    }

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
                : isAfter ? room.History.After(room.Id, sequence, limit, pageBytes)
                : room.History.Before(room.Id, sequence, limit, pageBytes),
            cancellationToken);

    /// <summary>Measures what the room can resend to a member that resumes, and prepares its return.</summary>
    /// <param name="session">The member's session.</param>
    /// <param name="seen">The last sequence that the client has seen.</param>
    /// <param name="maxBytes">The most bytes that the room may resend.</param>
    /// <param name="cancellationToken">Cancelled when the member's new connection ends.</param>
    /// <returns><see langword="null"/> when the session is not a member.</returns>
    public Task<RoomStanding?> PrepareReturnAsync(Session session, long seen, int maxBytes, CancellationToken cancellationToken) =>
        AskAsync(room => room.PrepareReturn(session, seen, maxBytes), cancellationToken);

    /// <summary>Orders a text and answers, now or when it is heard.</summary>
    protected virtual void Say(PacketContext context, ChatMember member, CRoomChatReq said, string text)
    {
        if (member.Recent.TryFind(said.ClientMessageId, out long sequence))
        {
            AnswerRepeat(context, said, sequence);
        }
        else
        {
            member.Recent.Add(said.ClientMessageId, Publish(RoomEventKind.Chat, member.Shown, text, context, said));
        }
    }

    /// <inheritdoc/>
    protected override void Forget(long playerId, ulong clientMessageId) =>
        (Members.FirstOrDefault(member => member.Shown.PlayerId == playerId)?.Recent ?? _former.Find(playerId))?.Forget(clientMessageId);

    /// <inheritdoc/>
    protected override JoinDecision<ChatMember> OnJoining(Session session, PacketContext request) =>
        _isOpen || request.PacketId == ChatPackets.CCreateRoomReq.Id ? new ChatMember(session, request) : Refuse(Answers.NoSuchRoom(Id));

    /// <inheritdoc/>
    protected override void OnEnter(ChatMember member)
    {
        // A player who leaves and joins again keeps the ids of the messages it sent.
        member.Recent = _former.Take(member.Shown.PlayerId) ?? new RecentMessages(_services.Settings.RecentMessageIds);
        SetPrivate(false); // a room of an earlier run is not listed while it is empty
        if (_isOpen)
        {
            PublishJoin(member);
            AnswerJoined(member);
        }
        else
        {
            _isOpen = true;
            _services.Archive.Add(this, _services.Time.GetUtcNow());
            AnswerCreated(member);
        }
    }

    /// <summary>Answers the request of a player that has joined.</summary>
    protected void AnswerJoined(ChatMember member)
    {
        Answer(member.Request, ChatPackets.SJoinRoomRes, new SJoinRoomRes
        {
            RoomId = Id,
            Name = Name,
            LatestSequence = History.Latest,
            Members = { Shown },
            History = { ReadNewest() },
            Type = Kind.Type,
            Properties = { Kind.Properties },
            Epoch = Epoch,
        });
        ServerLog.RoomJoined(_services.Logger, member.Shown.PlayerId, member.Session.Id, Id, LatestSequence);
    }

    /// <summary>Answers the request of the player that has created the room.</summary>
    protected void AnswerCreated(ChatMember member)
    {
        Answer(member.Request, ChatPackets.SCreateRoomRes, new SCreateRoomRes
        {
            RoomId = Id,
            Name = Name,
            Members = { Shown },
            LatestSequence = History.Latest,
            Epoch = Epoch,
        });
        ServerLog.RoomCreated(_services.Logger, member.Shown.PlayerId, member.Session.Id, Id, Name);
    }

    /// <summary>Tells a member how the room stands, in place of what it has missed.</summary>
    protected void SendState(Session session) => SendPacket(
        session,
        new SRoomStateNtf { RoomId = Id, Name = Name, LatestSequence = History.Latest, Members = { Shown }, Epoch = Epoch },
        type: ChatPackets.SRoomStateNtf);

    /// <inheritdoc/>
    protected override void OnReturn(ChatMember member)
    {
        long? seen = member.ReplayAfter;
        member.ReplayAfter = null;
        if (seen is { } after && History.Reaches(after))
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
        _former.Add(member);
        ServerLog.RoomLeft(_services.Logger, member.Shown.PlayerId, member.Session.Id, Id);
        if (reason != LeaveReason.RoomRemoved)
        {
            Publish(RoomEventKind.Leave, member.Shown, $"{member.Shown.Name} has left the room.");
        }
    }

    /// <inheritdoc/>
    protected override void OnEmpty()
    {
        _services.Archive.Remove(this, Remove);
        _services.Quotas.Rooms.GiveBack();
        if (_creatorId != 0)
        {
            _services.Quotas.GiveBackOf(_creatorId);
        }
        ForgetUnstored();
        ServerLog.RoomRemoved(_services.Logger, Id, Name, LatestSequence);
    }

    /// <summary>Runs a question in the room's turn.</summary>
    /// <returns>The default when the room has been removed.</returns>
    protected async Task<TAnswer?> AskAsync<TAnswer>(Func<ChatRoom, TAnswer> question, CancellationToken cancellationToken)
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

    private RoomStanding? PrepareReturn(Session session, long seen, int maxBytes)
    {
        if (Find(session) is not { } member)
        {
            return null;
        }

        RoomStanding standing = History.Measure(seen);
        bool isRecovered = standing.CanRecover && standing.MissedBytes <= maxBytes;
        member.ReplayAfter = isRecovered ? seen : null;
        return standing with { CanRecover = isRecovered, Epoch = Epoch };
    }
}
