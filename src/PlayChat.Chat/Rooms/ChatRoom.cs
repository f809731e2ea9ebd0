using System.Diagnostics;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Chat.Rooms.Order;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms;

/// <summary>A chat room: it admits players, takes what they say, and gives members that return what they have missed.</summary>
/// <remarks>
/// <see cref="RoomOrder"/> decides when something is heard and its sender answered; <see cref="RoomJournal"/> keeps the newest events,
/// <see cref="RoomRegister"/> what is known of players beyond their sessions. What the room offers to them is for the room's turn alone.
/// </remarks>
internal sealed class ChatRoom : Room<ChatMember, RoomJoin>
{
    /// <summary>Why a room refuses a player when it has as many as it may have.</summary>
    public const string Full = "full";

    /// <summary>Why a room refuses a player that needs its password.</summary>
    public const string PasswordNeeded = "password";

    /// <summary>Why a locked room refuses a player.</summary>
    public const string Locked = "locked";

    // A client says every 3 seconds that its user is writing; less is not passed on.
    private static readonly TimeSpan s_typingPause = TimeSpan.FromSeconds(2);

    // In slow mode, that have spoken lately: those that wait longest are forgotten last.
    private const int MaxPacedMembers = 10_000;

    private readonly ChatRoomServices _services;
    private readonly RoomOrder _order;
    private readonly Dictionary<long, RoomPlayer> _players = [];
    private RateTable<long>? _slowMode; // of what members say; null while they speak as often as they like
    private readonly SRoomChatRes _answer = new(); // refilled and encoded at once for each answer, so one is enough
    private readonly SRoomChatNtf _message = new(); // refilled and encoded at once for each message, so one is enough

    public ChatRoom(RoomContext context, ChatRoomServices services, RoomOrder order, RoomKind kind)
        : this(context, services, order, kind, earlier: null, said: [], members: [])
    {
    }

    /// <summary>Makes a room of an earlier run, or a replica of a room of the cluster.</summary>
    /// <param name="context">The context from the registry.</param>
    /// <param name="services">What all rooms have in common.</param>
    /// <param name="order">The order of this room.</param>
    /// <param name="earlier">The room as stored, with the sequence behind which it continues.</param>
    /// <param name="said">Its last messages that are stored, oldest first.</param>
    /// <param name="members">What the store has of its members, where rooms last.</param>
    public ChatRoom(
        RoomContext context,
        ChatRoomServices services,
        RoomOrder order,
        RoomPosition earlier,
        IReadOnlyList<ChatRecord> said,
        IReadOnlyList<RoomMembership> members)
        : this(context, services, order, RoomKind.Parse(earlier.Attributes), earlier, said, members)
    {
    }

    private ChatRoom(
        RoomContext context,
        ChatRoomServices services,
        RoomOrder order,
        RoomKind kind,
        RoomPosition? earlier,
        IReadOnlyList<ChatRecord> said,
        IReadOnlyList<RoomMembership> members)
        : base(context)
    {
        _services = services;
        _order = order;
        Kind = kind;
        Earlier = earlier;
        Journal = new RoomJournal(services, earlier, said);
        Register = new RoomRegister(Id, kind, services, members);
        Moderation = new RoomModeration(this, services, order);
        Edits = new RoomEdits(this, services, order);
        SetSlowMode();
        order.Begin(this, said);
        foreach ((string key, string value) in kind.Properties)
        {
            SetProperty(key, value);
        }

        SetPrivate(true); // lists show a room that has members
    }

    /// <summary>Where the room stood in an earlier run; <see langword="null"/> for a new room.</summary>
    public RoomPosition? Earlier { get; }

    /// <summary>The room's type and properties, and what moderators have set. Safe to read from any thread.</summary>
    public RoomKind Kind { get; private set; }

    /// <summary>The sequence of the newest event. Safe to read from any thread.</summary>
    public long LatestSequence => Journal.LatestSequence;

    /// <summary>Whether the room is from an earlier run and has had no member since. Approximate when read outside the turn.</summary>
    public bool IsUntouched => Earlier is not null && LatestSequence == Earlier.LastSequence;

    /// <summary>The sequences, and the newest events. For the order.</summary>
    public RoomJournal Journal { get; }

    /// <summary>What is known of players beyond their sessions.</summary>
    public RoomRegister Register { get; }

    public RoomModeration Moderation { get; }

    public RoomEdits Edits { get; }

    /// <summary>Whether its players moderate it.</summary>
    public bool CanModerate => _order.CanModerate;

    /// <summary>The members on this server as clients see them. For order and moderation.</summary>
    public IEnumerable<Member> Present => _players.Values.Select(static player => player.Shown);

    /// <summary>The most players in it at once. Safe to read from any thread.</summary>
    public int Capacity => Kind.CapacityOf(_services.Limits.MaxMembers);

    /// <summary>The players on this server, however many devices each has. Approximate when read outside the turn.</summary>
    public int PlayerCount => _players.Count;

    /// <summary>Whether the room has ended. For the order.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Orders a text, delivers it to every member, and answers.</summary>
    [Packet(PacketId.CRoomChatReq), UseFilter(typeof(ChatLogSpaceFilter)), MaxBodyBytes(2 * ChatLimits.MaxTextBytes)]
    public void OnChat(PacketContext context, ChatMember member, CRoomChatReq said)
    {
        if (!ChatText.TryClean(said.Text, out string text))
        {
            Fail(context, ErrorCode.TextInvalid, ChatText.Invalid);
        }
        else if (Register.FindMute(member.Shown.PlayerId, out TimeSpan wait) is { } why)
        {
            Fail(context, ErrorCode.Forbidden, why, wait);
        }
        else if (_slowMode is { } slow
            && Register.RoleOf(member.Shown.PlayerId) < RoomRole.Moderator
            && !_order.Knows(member.Shown.PlayerId, said.ClientMessageId)
            && slow.Take(member.Shown.PlayerId, 1) is var pause && pause > TimeSpan.Zero)
        {
            Fail(
                context,
                ErrorCode.Forbidden,
                $"This room is in slow mode: say something once in {Kind.SlowSeconds} seconds. Wait, then send it again.",
                pause);
        }
        else
        {
            _order.Say(context, member, said, text);
        }
    }

    /// <summary>Ends the membership of the sender, with all its devices.</summary>
    [Packet(PacketId.CLeaveRoomReq), MaxBodyBytes(1024)]
    public SLeaveRoomAck OnLeaveRequest(ChatMember member, CLeaveRoomReq request)
    {
        TakeOut(member.Player, $"{member.Shown.Name} has left the room.", LeftElsewhere, except: member.Session);
        return new SLeaveRoomAck { RoomId = Id };
    }

    [Packet(PacketId.CReadMarkNtf), MaxBodyBytes(1024)]
    public void OnReadMark(ChatMember member, CReadMarkNtf mark)
    {
        if (Register.NoteRead(member.Shown.PlayerId, Math.Min(mark.Sequence, LatestSequence), stores: true) is { } known)
        {
            _order.Read(known);
        }
    }

    /// <summary>Tells the others that a member is writing.</summary>
    [Packet(PacketId.CTypingNtf), MaxBodyBytes(1024)]
    public void OnTyping(ChatMember member, CTypingNtf typing)
    {
        long now = _services.Time.GetTimestamp();
        RoomPlayer player = member.Player;
        if ((player.TypedAt == 0 || _services.Time.GetElapsedTime(player.TypedAt, now) >= s_typingPause)
            && Register.FindMute(member.Shown.PlayerId, out _) is null)
        {
            player.TypedAt = now;
            _order.Type(member);
        }
    }

    /// <summary>Runs a question in the room's turn, where it may use the parts of the room.</summary>
    /// <returns>The default when the room has been removed.</returns>
    public async Task<TAnswer?> AskAsync<TAnswer>(Func<ChatRoom, TAnswer> question, CancellationToken cancellationToken)
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

    /// <summary>Ends the room if it has no members.</summary>
    /// <returns>The members that it has; <see langword="null"/> when it had ended before.</returns>
    public Task<int?> CloseIfEmptyAsync(CancellationToken cancellationToken) => AskAsync<int?>(
        static room =>
        {
            if (room.MemberCount == 0)
            {
                room.Close();
            }

            return room.PlayerCount;
        },
        cancellationToken);

    /// <summary>Says something in the name of an account, which need not be a member, with its number for the text; 0 for none.</summary>
    /// <returns>Whether it was taken; <see langword="null"/> when the room has ended.</returns>
    public Task<bool?> SayAsync(Member from, ulong messageId, string text, CancellationToken cancellationToken) =>
        AskAsync<bool?>(room => room.IsClosed ? null : room._order.TrySay(from, messageId, text), cancellationToken);

    /// <summary>Whether a session may moderate the room; otherwise why not.</summary>
    /// <returns><see langword="null"/> when the room has ended.</returns>
    public Task<RoomOutcome?> CheckModeratorAsync(Session session, CancellationToken cancellationToken) =>
        AskAsync<RoomOutcome?>(room => room.Moderation.Check(session, RoomRole.Moderator), cancellationToken);

    /// <summary>Empties what a player has said, in the memory of the room. The store has emptied it before.</summary>
    public Task EraseOfAsync(long playerId, CancellationToken cancellationToken) => AskAsync(
        room =>
        {
            room.Journal.History.EraseOf(playerId);
            return true;
        },
        cancellationToken);

    /// <summary>Lists members after a player, by their ids.</summary>
    /// <returns><see langword="null"/> when the session is no member, or the room has ended.</returns>
    public Task<SListMembersRes?> ListMembersAsync(Session session, long after, int limit, CancellationToken cancellationToken) =>
        AskAsync(room => room.Find(session) is null ? null : room.Register.List(room._order.Roster, after, limit), cancellationToken);

    /// <summary>Whether a player of the cluster may enter, before the others hear of it.</summary>
    /// <param name="playerId">The player.</param>
    /// <param name="openedHash">The hash that its password belongs to; <see langword="null"/> when none was checked.</param>
    /// <param name="stored">What the store has of it: it may have read on another node.</param>
    /// <param name="cancellationToken">Cancelled when the peer's connection ends.</param>
    /// <returns>Why not; <see langword="null"/> when it may, or the room has ended.</returns>
    public Task<string?> CheckEntryAsync(
        long playerId, string? openedHash, RoomMembership? stored, CancellationToken cancellationToken) => AskAsync(
        room =>
        {
            if (stored is not null)
            {
                room.Register.NoteRead(playerId, stored.ReadSequence, stores: false);
            }

            return room.FindRefusal(playerId, openedHash);
        },
        cancellationToken);

    /// <summary>Whether a session is a member after everything that it has asked the room for before.</summary>
    public Task<bool> HasMemberAsync(Session session, CancellationToken cancellationToken) =>
        AskAsync(room => room.Find(session) is not null, cancellationToken);

    /// <summary>Reads what the room's memory has of a page of its history, as <see cref="RoomHistory.After"/> or
    /// <see cref="RoomHistory.Before"/>.</summary>
    /// <returns><see langword="null"/> when the session is not a member.</returns>
    public Task<HistorySlice?> ReadRecentAsync(
        Session session, bool isAfter, long sequence, int limit, int pageBytes, CancellationToken cancellationToken) =>
        AskAsync(
            room => room.Find(session) is null ? null
                : isAfter ? room.Journal.History.After(room.Id, sequence, limit, pageBytes, session.User!.Id)
                : room.Journal.History.Before(room.Id, sequence, limit, pageBytes, session.User!.Id),
            cancellationToken);

    /// <summary>Measures what the room can resend to a session that has seen a sequence.</summary>
    /// <returns><see langword="null"/> when the room has been removed.</returns>
    public Task<RoomStanding?> MeasureAsync(long seen, int maxBytes, CancellationToken cancellationToken) =>
        AskAsync(room => room.Measure(seen, maxBytes), cancellationToken);

    /// <summary>Measures what the room can resend to a member that resumes, and prepares its return.</summary>
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
        if (happened is { Kind: RoomEventKind.Edit, Text.Length: > 0 }
            && Journal.History.Find(happened.Target) is { Kind: RoomEventKind.Chat, Text: "" })
        {
            Deliver(happened with { Text = "" }, except, turn); // its author had not heard of the deletion
            return;
        }

        int bodyBytes;
        switch (happened.Kind)
        {
            case RoomEventKind.Join:
                bodyBytes = Broadcast(ChatPackets.SJoinRoomNtf, happened.ToJoin(Id), except);
                break;
            case RoomEventKind.Edit:
                bodyBytes = Broadcast(ChatPackets.SMessageEditedNtf, happened.ToEdit(Id), except);
                Journal.History.Change(happened.Target, happened.Text, happened.SentAtUnixMs);
                break;
            case RoomEventKind.React or RoomEventKind.Unreact:
                bodyBytes = Broadcast(ChatPackets.SReactionNtf, happened.ToReaction(Id), except);
                break;
            default:
                happened.Fill(_message, Id);
                bodyBytes = Broadcast(ChatPackets.SRoomChatNtf, _message, except);
                break;
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

    /// <summary>Tells all members but the player itself that a player is writing. For the order.</summary>
    public void TellTyping(long playerId)
    {
        var typing = new STypingNtf { RoomId = Id, PlayerId = playerId };
        Session[] devices = FindPlayer(playerId)?.Devices ?? [];
        if (devices.Length > 1)
        {
            Session[] others = [.. Members.Select(static member => member.Session).Except(devices)];
            BroadcastPacketTo(others, typing, Delivery.DropIfBehind, ChatPackets.STypingNtf);
        }
        else
        {
            BroadcastPacket(typing, Delivery.DropIfBehind, except: devices.FirstOrDefault(), type: ChatPackets.STypingNtf);
        }
    }

    /// <summary>Takes over what a moderator has changed. For the order.</summary>
    /// <param name="change">What changes.</param>
    /// <param name="stores">Whether this server stores it; in a cluster another one may.</param>
    /// <returns>The player that it is about, as it is now.</returns>
    public Member Apply(RoomChange change, bool stores)
    {
        if (change.IsOfRoom)
        {
            uint pause = Kind.SlowSeconds;
            Kind = change.ApplyTo(Kind);
            if (pause != Kind.SlowSeconds)
            {
                SetSlowMode();
            }

            if (stores)
            {
                _services.Archive.SaveKind(this, _services.Time.GetUtcNow());
            }
        }

        Register.Apply(change, LatestSequence, stores);
        return new Member { PlayerId = change.PlayerId, Name = change.Name, Role = Register.RoleOf(change.PlayerId) };
    }

    /// <summary>Has a change take effect on the devices that a player has on this server. For the order.</summary>
    public void Enforce(RoomChange change, Member who)
    {
        if (FindPlayer(change.PlayerId) is not { } player)
        {
            return;
        }

        if (change.Parting is { } parting)
        {
            TakeOut(player, change.Text, parting);
        }
        else
        {
            player.Shown = who;
        }
    }

    /// <summary>Replaces terms and register by what the store has. For the order.</summary>
    public void Reload(RoomKind kind, IReadOnlyList<RoomMembership> members)
    {
        Kind = kind;
        SetSlowMode();
        Register.Reload(members);
    }

    /// <summary>Stores terms, and players that another node may not have been able to store. For the order.</summary>
    public void StoreMissing(IReadOnlyCollection<long> players, IReadOnlyList<RoomMembership> stored)
    {
        _services.Archive.SaveKind(this, _services.Time.GetUtcNow());
        Register.StoreMissing(players, stored);
    }

    /// <summary>What the members hear of the room's terms; <see langword="null"/> when a change leaves them. For the order.</summary>
    public RoomTerms? TermsAfter(RoomChange change) => change.IsOfRoom ? Kind.ToTerms() ?? new RoomTerms() : null;

    /// <summary>Whether a player is connected to the room, through any server. For the moderation.</summary>
    public bool IsPresent(long playerId) =>
        _players.ContainsKey(playerId) || _order.Roster.Any(member => member.PlayerId == playerId);

    /// <summary>The member of a session. For the moderation.</summary>
    public ChatMember? FindMember(Session session) => Find(session);

    /// <summary>A player that is a member on this server. For order and moderation.</summary>
    public RoomPlayer? FindPlayer(long playerId) => _players.GetValueOrDefault(playerId);

    /// <summary>Takes a player out for good, with all its devices.</summary>
    /// <param name="player">The player.</param>
    /// <param name="told">What the others hear; <see langword="null"/> if they have heard it.</param>
    /// <param name="toldPlayer">What the player hears.</param>
    /// <param name="except">A device of the player that hears it in another way.</param>
    private void TakeOut(RoomPlayer player, string? told, string toldPlayer, Session? except = null)
    {
        player.Farewell = told ?? player.Farewell;
        foreach (Session device in player.Devices)
        {
            if (device != except)
            {
                SendPacket(device, new SRoomLeftNtf { RoomId = Id, Message = toldPlayer }, type: ChatPackets.SRoomLeftNtf);
            }

            Leave(device);
        }
    }

    /// <summary>Takes out the devices of a player that has left for good on another server. For the order.</summary>
    public void TakeOutDevices(long playerId)
    {
        if (FindPlayer(playerId) is { } player)
        {
            TakeOut(player, told: null, LeftElsewhere);
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
            SendMembers(member);
        }
    }

    /// <summary>Ends the room for all its members on this server. For the order.</summary>
    public void End(string told)
    {
        foreach (ChatMember member in Members)
        {
            SendPacket(member.Session, new SRoomLeftNtf { RoomId = Id, Message = told }, type: ChatPackets.SRoomLeftNtf);
        }

        Close();
    }

    /// <summary>Ends the room. For the order.</summary>
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

    protected override JoinDecision<ChatMember> OnJoining(Session session, RoomJoin join)
    {
        SessionUser user = session.User!;
        RoomPlayer? present = FindPlayer(user.Id);
        return !_order.Admits(join.Request) ? Refuse("") // there is no such room yet, or any more
            : session.Connection != join.Request.Connection ? Refuse("") // it has resumed without this join, and asks again
            : FindRefusal(user.Id, join.OpenedHash) is { } why ? Refuse(why)
            : new ChatMember(
                session,
                join,
                present ?? new RoomPlayer(new Member { PlayerId = user.Id, Name = user.Name, Role = Register.RoleOf(user.Id) }))
            {
                SharesSeat = present is not null && _services.HasDevices, // the capacity counts players
            };
    }

    protected override void OnJoined(ChatMember member)
    {
        RoomPlayer player = member.Player;
        _players[player.Shown.PlayerId] = player;
        player.Devices = [.. player.Devices, member.Session];
        SetPrivate(Kind.IsPrivate);
        _order.Join(member);
        switch ((PacketId)member.Request.PacketId)
        {
            case PacketId.CResumeReq:
                CatchUp(member);
                break;
            case PacketId.CCreateRoomReq:
                AnswerCreated(member);
                break;
            default:
                AnswerJoined(member);
                break;
        }

        if (_services.HasDevices && player.Devices.Length == 1)
        {
            _services.Tell(
                player.Shown.PlayerId, ChatPackets.SRoomEnteredNtf, new SRoomEnteredNtf { RoomId = Id, Name = Name }, member.Session);
        }
    }

    /// <inheritdoc/>
    /// <remarks>A session that this server had already, although its client does not know that, enters before it returns: what the room
    /// has sent to it then is dropped.</remarks>
    protected override void OnReturn(ChatMember member)
    {
        CatchUp(member);
        member.ReplayAfter = null;
    }

    private void CatchUp(ChatMember member)
    {
        if (member.ReplayAfter is { } after && Journal.History.Reaches(after))
        {
            Replay(member.Session, after);
            if (after <= member.UnsureThrough)
            {
                SendMembers(member);
            }
        }
        else
        {
            SendState(member.Session);
        }
    }

    protected override void OnLeave(ChatMember member, LeaveReason reason)
    {
        ServerLog.RoomLeft(_services.Logger, member.Shown.PlayerId, member.Session.Id, Id);
        RoomPlayer player = member.Player;
        player.Devices = Array.FindAll(player.Devices, device => device != member.Session);
        if (player.Devices.Length == 0)
        {
            _players.Remove(player.Shown.PlayerId);
        }

        _order.Leave(member, reason);
    }

    protected override void OnEmpty()
    {
        if (!_order.StaysEmpty)
        {
            Close();
        }
    }

    /// <summary>What keeps a player out; <see langword="null"/> for nothing.</summary>
    private string? FindRefusal(long playerId, string? openedHash)
    {
        return _players.Count >= Capacity && !IsPresent(playerId) ? Full
            : Register.FindBar(playerId) is { } bar ? bar
            : _players.ContainsKey(playerId) || !CanModerate || Register.IsAtHome(playerId) ? null
            : Kind.IsLocked ? Locked
            : Kind.PasswordHash is { } hash && hash != openedHash ? PasswordNeeded
            : null;
    }

    private string LeftElsewhere => $"You have left {Name} on another device.";

    private void SetSlowMode() => _slowMode = Kind.SlowSeconds == 0 ? null
        : new RateTable<long>(TimeSpan.FromSeconds(Kind.SlowSeconds), MaxPacedMembers, _services.Time);

    private void AnswerJoined(ChatMember member)
    {
        Answer(member.Request, ChatPackets.SJoinRoomRes, new SJoinRoomRes
        {
            RoomId = Id,
            Name = Name,
            LatestSequence = Journal.History.Latest,
            Members = { _order.Roster },
            History = { Journal.ReadNewest(Id, member.Shown.PlayerId) },
            Type = Kind.Type,
            Properties = { Kind.Properties },
            Epoch = _order.Epoch,
            Terms = Kind.ToTerms(),
            Membership = Register.IsLasting && Register.Find(member.Shown.PlayerId) is { } known
                ? MembershipReader.Describe(known with { UnreadMentions = member.UnreadMentions }, Name)
                : null,
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

    /// <summary>Tells a member how the room stands, because it may know other members. If its connection ends, the packet may be lost: the
    /// member is told again when it returns, unless it has seen a later event.</summary>
    private void SendMembers(ChatMember member)
    {
        member.UnsureThrough = Journal.History.Latest;
        SendState(member.Session);
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
            Terms = Kind.ToTerms(),
        };
        SendPacket(session, state, type: ChatPackets.SRoomStateNtf);
    }

    /// <summary>Sends every event after a sequence to one member.</summary>
    private void Replay(Session session, long after)
    {
        foreach (RoomEvent missed in Journal.History.EventsAfter(after))
        {
            switch (missed.Kind)
            {
                case RoomEventKind.Join:
                    SendPacket(session, missed.ToJoin(Id), type: ChatPackets.SJoinRoomNtf);
                    break;
                case RoomEventKind.Edit:
                    SendPacket(session, missed.ToEdit(Id), type: ChatPackets.SMessageEditedNtf);
                    break;
                case RoomEventKind.React or RoomEventKind.Unreact:
                    SendPacket(session, missed.ToReaction(Id), type: ChatPackets.SReactionNtf);
                    break;
                default:
                    missed.Fill(_message, Id);
                    SendPacket(session, _message, type: ChatPackets.SRoomChatNtf);
                    break;
            }
        }
    }

    private RoomStanding Measure(long seen, int maxBytes)
    {
        RoomStanding standing = Journal.History.Measure(seen);
        return standing with { CanRecover = standing.CanRecover && standing.MissedBytes <= maxBytes, Epoch = _order.Epoch };
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
