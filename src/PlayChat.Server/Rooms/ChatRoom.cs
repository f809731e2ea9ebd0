using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Handlers;
using PlayChat.Storage;

namespace PlayChat.Server.Rooms;

/// <summary>A room of the chat: members, the order of what is said, and who hears it. Everything private happens in the room's turn.</summary>
internal sealed partial class ChatRoom : Room
{
    private readonly ChatRoomServices _services;
    private readonly RoomSequence _sequence = new();
    private readonly RecentMessages _recent;
    private readonly Dictionary<Session, Member> _members = [];
    private readonly Dictionary<long, Session> _sessions = []; // by player
    private readonly SRoomChatNtf _message = new(); // filled anew for each message and encoded at once, so one is enough
    private readonly SRoomChatRes _answer = new();
    private bool _isOpen;

    public ChatRoom(RoomContext context, ChatRoomServices services)
        : base(context)
    {
        _services = services;
        _recent = new RecentMessages(services.Settings.RecentMessageIds);
    }

    /// <summary>Lets the creator in and answers. Once, before anybody else can enter.</summary>
    public ValueTask<bool> OpenAsync(RoomRequest request) =>
        this.PostAsync(static (ChatRoom room, RoomRequest asked, object? none) => room.Serve(asked, none, static (self, request, _) => self.Open(request)), request, null, CancellationToken.None);

    /// <summary>Lets a player in and answers, with the reason if it cannot be.</summary>
    /// <returns><see langword="false"/>, and no answer, when the room has been removed.</returns>
    public ValueTask<bool> JoinAsync(RoomRequest request, CancellationToken cancellationToken) =>
        this.PostAsync(static (ChatRoom room, RoomRequest asked, object? none) => room.Serve(asked, none, static (self, request, _) => self.Join(request)), request, null, cancellationToken);

    /// <summary>Lets a player go and answers, with the reason if it cannot be.</summary>
    /// <returns><see langword="false"/>, and no answer, when the room has been removed.</returns>
    public ValueTask<bool> LeaveAsync(RoomRequest request, CancellationToken cancellationToken) =>
        this.PostAsync(static (ChatRoom room, RoomRequest asked, object? none) => room.Serve(asked, none, static (self, request, _) => self.Leave(request)), request, null, cancellationToken);

    /// <summary>Gives a text its place, tells every member, and answers, with the reason if it cannot be. Waits while the room's queue is full.</summary>
    /// <param name="request">Who says it.</param>
    /// <param name="message">Its text has been checked.</param>
    /// <param name="cancellationToken">The sender has gone.</param>
    /// <returns><see langword="false"/>, and no answer, when the room has been removed.</returns>
    public ValueTask<bool> SayAsync(RoomRequest request, CRoomChatReq message, CancellationToken cancellationToken) =>
        this.PostAsync(static (ChatRoom room, RoomRequest asked, CRoomChatReq said) => room.Serve(asked, said, static (self, request, text) => self.Say(request, text)), request, message, cancellationToken);

    /// <inheritdoc/>
    protected override void OnMemberLost(Session member) => TellLeft(member);

    /// <summary>Does what was asked for. A fault is answered here, for nobody else knows the request; the room's turn then logs and counts it.</summary>
    private void Serve<TArgument>(RoomRequest request, TArgument argument, Action<ChatRoom, RoomRequest, TArgument> job)
    {
        try
        {
            job(this, request, argument);
        }
        catch (Exception) when (!request.IsAnswered)
        {
            Fail(request, ErrorCode.Internal, Answers.Internal);
            throw;
        }
    }

    private void Open(RoomRequest request)
    {
        Session session = request.Session;
        Quota mine = _services.Quotas.Of(session);
        bool isAllowed = mine.TryTake();
        if (!isAllowed || Enter(session) != EnterResult.Entered)
        {
            RemoveAndGiveBack();
            if (isAllowed)
            {
                mine.GiveBack(); // the creator has gone meanwhile
            }
            else
            {
                FailInTooManyRooms(request);
            }

            return;
        }

        _isOpen = true;
        _services.Directory.Add(Id);
        AddMember(session);
        Answer(request, ChatPackets.SCreateRoomRes, Fill(new SCreateRoomRes { RoomId = Id, Name = Name }));
        ServerLog.RoomCreated(_services.Logger, session.User!.Id, session.Id, Id, Name);
    }

    private void Join(RoomRequest request)
    {
        Session session = request.Session;
        SessionUser player = session.User!;
        if (!session.Connection.IsOpen)
        {
            return; // taken over or gone while this waited: it must not throw out the player's newer session
        }

        if (!_isOpen || IsRemoved)
        {
            Fail(request, ErrorCode.RoomNotFound, Answers.NoSuchRoom(Id));
            return;
        }

        if (_members.ContainsKey(session))
        {
            Fail(request, ErrorCode.AlreadyInRoom, $"You are in room {Id} already.");
            return;
        }

        // The player's older session was taken over, and its link is not quite closed: it must not leave after this one has come.
        if (_sessions.TryGetValue(player.Id, out Session? older) && Leave(older))
        {
            TellLeft(older, keepRoom: true);
        }

        if (MemberCount >= _services.Settings.MaxMembers)
        {
            Fail(request, ErrorCode.RoomFull, $"Room {Id} has all the {_services.Settings.MaxMembers} members it takes. Try later, or another room.");
            return;
        }

        Quota mine = _services.Quotas.Of(session);
        if (!mine.TryTake())
        {
            FailInTooManyRooms(request);
            return;
        }

        // Those who were there before hear of it; the one who joins gets the answer instead.
        var joined = new Member { PlayerId = player.Id, Name = player.Name };
        (long sequence, long previous) = _sequence.Next();
        Broadcast(ChatPackets.SJoinRoomNtf, new SJoinRoomNtf { RoomId = Id, Member = joined, Sequence = sequence, PreviousSequence = previous });
        if (Enter(session) != EnterResult.Entered)
        {
            mine.GiveBack();
            SayLeft(joined); // its link ended in this very moment
            RemoveIfEmpty();
            return;
        }

        AddMember(session);
        Answer(request, ChatPackets.SJoinRoomRes, Fill(new SJoinRoomRes { RoomId = Id, Name = Name, LatestSequence = sequence }));
        ServerLog.RoomJoined(_services.Logger, player.Id, session.Id, Id, sequence);
    }

    private void Leave(RoomRequest request)
    {
        if (!Leave(request.Session))
        {
            FailNotMember(request);
            return;
        }

        Answer(request, ChatPackets.SLeaveRoomAck, new SLeaveRoomAck { RoomId = Id });
        TellLeft(request.Session);
    }

    private void Say(RoomRequest request, CRoomChatReq said)
    {
        Session session = request.Session;
        if (!_members.TryGetValue(session, out Member? member))
        {
            FailNotMember(request);
            return;
        }

        if (_recent.TryFind(member.PlayerId, said.ClientMessageId, out long sequence))
        {
            AnswerSaid(request, said, sequence, isDuplicate: true);
            return;
        }

        sequence = Publish(member, said.Text, left: null);
        _recent.Add(member.PlayerId, said.ClientMessageId, sequence);
        AnswerSaid(request, said, sequence, isDuplicate: false);
        ServerLog.Broadcast(_services.Logger, Id, sequence, member.PlayerId, session.Id, MemberCount);
    }

    /// <summary>After a member was taken off the list: tells the others, or removes the room when there are none.</summary>
    private void TellLeft(Session session, bool keepRoom = false)
    {
        if (!_members.Remove(session, out Member? member))
        {
            return;
        }

        if (_sessions.TryGetValue(member.PlayerId, out Session? current) && current == session)
        {
            _sessions.Remove(member.PlayerId);
        }

        _services.Quotas.Of(session).GiveBack();
        ServerLog.RoomLeft(_services.Logger, member.PlayerId, session.Id, Id);
        SayLeft(member);
        if (!keepRoom)
        {
            RemoveIfEmpty();
        }
    }

    private void SayLeft(Member member) => Publish(player: null, $"{member.Name} has left the room.", left: member);

    private void RemoveIfEmpty()
    {
        if (MemberCount == 0 && !IsRemoved)
        {
            RemoveAndGiveBack();
            ServerLog.RoomRemoved(_services.Logger, Id, Name, _sequence.Latest);
        }
    }

    private void RemoveAndGiveBack()
    {
        Remove();
        _services.Directory.Remove(Id);
        _services.Quotas.Rooms.GiveBack();
    }

    /// <summary>Gives a message its sequence, sends it to every member, and hands it to the chat log.</summary>
    /// <param name="player">Who speaks; <see langword="null"/> for the server.</param>
    /// <param name="text">What is said.</param>
    /// <param name="left">Who is no longer a member, where the message tells of that.</param>
    private long Publish(Member? player, string text, Member? left)
    {
        (long sequence, long previous) = _sequence.Next();
        long sentAt = _services.Time.GetUtcNow().ToUnixTimeMilliseconds();
        SRoomChatNtf message = _message;
        message.RoomId = Id;
        message.Sequence = sequence;
        message.PreviousSequence = previous;
        message.PlayerId = player?.PlayerId ?? 0;
        message.PlayerName = player?.Name ?? ChatLimits.SystemName;
        message.Text = text;
        message.SentAtUnixMs = sentAt;
        message.System = player is null;
        message.Left = left;
        Broadcast(ChatPackets.SRoomChatNtf, message);
        _services.Log.Append(new ChatRecord(
            Id, sequence, message.PlayerId, message.PlayerName, text, DateTimeOffset.FromUnixTimeMilliseconds(sentAt), Name));
        return sequence;
    }

    private void AddMember(Session session)
    {
        SessionUser player = session.User!;
        _members.Add(session, new Member { PlayerId = player.Id, Name = player.Name });
        _sessions[player.Id] = session;
    }
}
