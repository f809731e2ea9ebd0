using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Replies;
using PlayChat.Server.Sessions;
using PlayChat.Storage;

namespace PlayChat.Server.Rooms;

/// <summary>
/// A chat room: it admits members, orders what they say, and delivers it. The private members are for the room's turn alone.
/// </summary>
/// <remarks>
/// This class decides who is a member and <see cref="RoomRoster"/> keeps the members. <see cref="OrderedRoom"/> orders and delivers what
/// they say.
/// </remarks>
internal sealed class ChatRoom : OrderedRoom, IPresenceRoom
{
    private readonly ChatRoomServices _services;
    private readonly RoomRoster _roster;
    private bool _isOpen;

    /// <param name="context">From the registry.</param>
    /// <param name="services">What all rooms have in common.</param>
    /// <param name="earlier">Where the room stood in an earlier run. Without it this is a new room, which waits for its creator.</param>
    public ChatRoom(RoomContext context, ChatRoomServices services, RoomPosition? earlier = null)
        : base(context, services, earlier)
    {
        _services = services;
        Earlier = earlier;
        _isOpen = earlier is not null;
        _roster = new RoomRoster(services.Settings.RecentMessageIds);
        SetPrivate(true); // until its first member enters
    }

    /// <summary>Where the room stood in an earlier run; <see langword="null"/> for a new room.</summary>
    public RoomPosition? Earlier { get; }

    /// <summary>Whether the room is from an earlier run and has had no member since. Approximate when read outside the turn.</summary>
    public bool IsUntouched => Earlier is not null && LatestSequence == Earlier.LastSequence;

    /// <summary>The number of members, including those whose connection broke. Safe to read from any thread.</summary>
    public int Population => _roster.Count;

    /// <summary>Admits the creator and answers. Call it once, before any other player can enter.</summary>
    public ValueTask<bool> OpenAsync(RoomRequest request) =>
        PostAsync(request, static (room, asked) => room.Open(asked), CancellationToken.None);

    /// <summary>Admits a player and answers, with the reason if the room refuses.</summary>
    /// <returns><see langword="false"/>, and no answer, when the room has been removed.</returns>
    public ValueTask<bool> JoinAsync(RoomRequest request, CancellationToken cancellationToken) =>
        PostAsync(request, static (room, asked) => room.Join(asked), cancellationToken);

    /// <summary>Removes a player and answers, with the reason if the room refuses.</summary>
    /// <returns><see langword="false"/>, and no answer, when the room has been removed.</returns>
    public ValueTask<bool> LeaveAsync(RoomRequest request, CancellationToken cancellationToken) =>
        PostAsync(request, static (room, asked) => room.Leave(asked), cancellationToken);

    /// <summary>
    /// Orders a text, delivers it to every member, and answers, with the reason if the room refuses. Waits while the room's queue is
    /// full.
    /// </summary>
    /// <param name="request">The request of the sender.</param>
    /// <param name="message">The caller has checked its text.</param>
    /// <param name="cancellationToken">Cancelled when the sender's connection ends.</param>
    /// <returns><see langword="false"/>, and no answer, when the room has been removed.</returns>
    public ValueTask<bool> SayAsync(RoomRequest request, CRoomChatReq message, CancellationToken cancellationToken) =>
        this.PostAsync(
            static (ChatRoom room, RoomRequest asked, CRoomChatReq said) =>
                Serve(room, asked, said, static (self, request, text) => self.Say(request, text)),
            request,
            message,
            cancellationToken);

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
            room => room._roster.Find(session) is null ? null
                : isAfter ? room.History.After(room.Id, sequence, limit, pageBytes)
                : room.History.Before(room.Id, sequence, limit, pageBytes),
            cancellationToken);

    /// <inheritdoc/>
    // When the queue is full the departure waits in it: no other event would remove this player.
    public void PostDeparture(Presence presence) =>
        _ = this.PostAsync(
            static (ChatRoom room, Presence gone, object? _) => room.Depart(gone), presence, null, CancellationToken.None).AsTask();

    /// <summary>Removes a player whose client does not know that it is a member.</summary>
    public Task DepartAsync(Presence presence, CancellationToken cancellationToken) =>
        AskAsync(
            room =>
            {
                room.Depart(presence);
                return true;
            },
            cancellationToken);

    /// <summary>Measures what the room can resend to a member that resumes.</summary>
    /// <param name="presence">The member.</param>
    /// <param name="after">The last sequence that the member has seen.</param>
    /// <param name="cancellationToken">Cancelled when the member's new connection ends.</param>
    /// <returns><see langword="null"/> when the player is not a member.</returns>
    public Task<RoomStanding?> AskStandingAsync(Presence presence, long after, CancellationToken cancellationToken) =>
        AskAsync(room => room._roster.Find(presence) is null ? null : room.History.Measure(after), cancellationToken);

    /// <summary>Reconnects a member to the room.</summary>
    /// <param name="presence">The member.</param>
    /// <param name="session">The member's new session.</param>
    /// <param name="after">Resends everything after this sequence; <see langword="null"/> sends the room's state instead.</param>
    /// <param name="cancellationToken">Cancelled when the member's new connection ends.</param>
    public Task ReturnAsync(Presence presence, Session session, long? after, CancellationToken cancellationToken) =>
        AskAsync(
            room =>
            {
                room.Return(presence, session, after);
                return true;
            },
            cancellationToken);

    /// <inheritdoc/>
    protected override void OnMemberLost(Session member)
    {
        if (_roster.Find(member) is { } lost)
        {
            lost.Session = null;
            if (lost.Presence.IsEnded)
            {
                TellLeft(lost);
            }
        }
    }

    private ValueTask<bool> PostAsync(RoomRequest request, Action<ChatRoom, RoomRequest> job, CancellationToken cancellationToken) =>
        this.PostAsync(
            static (ChatRoom room, RoomRequest asked, Action<ChatRoom, RoomRequest> serve) =>
                Serve(room, asked, serve, static (self, request, run) => run(self, request)),
            request,
            job,
            cancellationToken);

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

    private void Open(RoomRequest request)
    {
        Session session = request.Session;
        Presence presence = Presence.Of(session)!;
        AddRoomResult added = presence.TryAdd(this, session);
        if (added != AddRoomResult.Added || Enter(session) != EnterResult.Entered)
        {
            RemoveAndGiveBack();
            presence.Remove(this); // the creator's connection may have ended at this moment
            if (added == AddRoomResult.TooMany)
            {
                FailInTooManyRooms(request);
            }

            return;
        }

        _isOpen = true;
        SetPrivate(false);
        _services.Archive.Add(this, _services.Time.GetUtcNow());
        _roster.Add(presence, session);
        Answer(request, ChatPackets.SCreateRoomRes, new SCreateRoomRes { RoomId = Id, Name = Name, Members = { _roster.Shown } });
        ServerLog.RoomCreated(_services.Logger, session.User!.Id, session.Id, Id, Name);
    }

    private void Join(RoomRequest request)
    {
        Session session = request.Session;
        Presence presence = Presence.Of(session)!;
        if (!session.Connection.IsOpen || !presence.IsOn(session))
        {
            // The session ended or was taken over while the request waited: it must not displace the player's newer session.
            RemoveIfEmpty(); // the room may have been woken for this player
            return;
        }

        if (!_isOpen || IsRemoved)
        {
            Fail(request, ErrorCode.RoomNotFound, Answers.NoSuchRoom(Id));
            return;
        }

        if (_roster.Find(presence.User.Id) is { } there)
        {
            if (there.Session == session)
            {
                Fail(request, ErrorCode.AlreadyInRoom, $"You are in room {Id} already.");
                return;
            }

            // The player's earlier login, whose end the room has not processed yet. It must not leave after the new one has joined.
            Depart(there, keepRoom: true);
        }

        if (_roster.Count >= _services.Settings.MaxMembers)
        {
            Fail(
                request,
                ErrorCode.RoomFull,
                $"Room {Id} has all the {_services.Settings.MaxMembers} members it takes. Try later, or another room.");
            RemoveIfEmpty();
            return;
        }

        AddRoomResult added = presence.TryAdd(this, session);
        if (added != AddRoomResult.Added)
        {
            if (added == AddRoomResult.TooMany)
            {
                FailInTooManyRooms(request);
            }

            RemoveIfEmpty();
            return;
        }

        Admit(request, presence, session);
    }

    private void Admit(RoomRequest request, Presence presence, Session session)
    {
        // The members get the notification. The player that joins gets the answer instead, unless the notification waits for the store.
        var joined = new Member { PlayerId = presence.User.Id, Name = presence.User.Name };
        PublishJoin(joined);
        if (Enter(session) != EnterResult.Entered)
        {
            presence.Remove(this);
            SayLeft(joined); // the player's connection ended at this moment
            RemoveIfEmpty();
            return;
        }

        SetPrivate(false); // a room of an earlier run is not listed while it is empty
        _roster.Add(presence, session);
        Answer(request, ChatPackets.SJoinRoomRes, new SJoinRoomRes
        {
            RoomId = Id,
            Name = Name,
            LatestSequence = History.Latest,
            Members = { _roster.Shown },
            History = { ReadNewest() },
        });
        ServerLog.RoomJoined(_services.Logger, presence.User.Id, session.Id, Id, LatestSequence);
    }

    private void Leave(RoomRequest request)
    {
        if (_roster.Find(request.Session) is not { } member)
        {
            FailNotMember(request);
            return;
        }

        Leave(request.Session);
        Answer(request, ChatPackets.SLeaveRoomAck, new SLeaveRoomAck { RoomId = Id });
        TellLeft(member);
    }

    private void Say(RoomRequest request, CRoomChatReq said)
    {
        if (_roster.Find(request.Session) is not { } member)
        {
            FailNotMember(request);
            return;
        }

        if (!member.Recent.TryFind(said.ClientMessageId, out long sequence))
        {
            sequence = Publish(RoomEventKind.Chat, member.Shown, said.Text, request, said);
            member.Recent.Add(said.ClientMessageId, sequence);
        }
        else
        {
            AnswerRepeat(request, said, sequence);
        }
    }

    private void Depart(Presence presence)
    {
        if (_roster.Find(presence) is { } member)
        {
            Depart(member);
        }
    }

    /// <summary>Removes a member, connected or not, and tells the others.</summary>
    private void Depart(RoomMember member, bool keepRoom = false)
    {
        if (member.Session is { } session)
        {
            Leave(session);
        }

        TellLeft(member, keepRoom);
    }

    /// <summary>Takes a member that the base class has removed off the roster; then tells the others, or removes the empty room.</summary>
    private void TellLeft(RoomMember member, bool keepRoom = false)
    {
        _roster.Remove(member);
        member.Presence.Remove(this);
        ServerLog.RoomLeft(_services.Logger, member.Shown.PlayerId, member.Session?.Id ?? 0, Id);
        SayLeft(member.Shown);
        if (!keepRoom)
        {
            RemoveIfEmpty();
        }
    }

    private void SayLeft(Member member) => Publish(RoomEventKind.Leave, member, $"{member.Name} has left the room.");

    private void Return(Presence presence, Session session, long? after)
    {
        if (_roster.Find(presence) is not { } member || !presence.IsOn(session))
        {
            return; // the player has left, or has moved to a newer session
        }

        if (member.Session is { } older)
        {
            Leave(older); // half open: the server has not noticed its end yet
            member.Session = null;
        }

        // The memory holds every event up to this turn, and the session receives every later one, so no event is missed or doubled.
        if (Enter(session) != EnterResult.Entered)
        {
            return; // the new connection ended at this moment
        }

        member.Session = session;
        if (after is { } seen && History.Reaches(seen))
        {
            Replay(session, seen);
        }
        else
        {
            SendPacket(session, ChatPackets.SRoomStateNtf, new SRoomStateNtf
            {
                RoomId = Id,
                Name = Name,
                LatestSequence = History.Latest,
                Members = { _roster.Shown },
            });
        }
    }

    private void RemoveIfEmpty()
    {
        if (_roster.Count == 0 && !IsRemoved)
        {
            RemoveAndGiveBack();
            ServerLog.RoomRemoved(_services.Logger, Id, Name, LatestSequence);
        }
    }

    private void RemoveAndGiveBack()
    {
        Remove();
        _services.Archive.Remove(this);
        _services.Quotas.Rooms.GiveBack();
        ForgetUnstored();
    }

    private void FailInTooManyRooms(RoomRequest request) => Fail(
        request,
        ErrorCode.ServerFull,
        $"You are in all the {_services.Settings.MaxPerPlayer} rooms that one player may be in. Leave one first.");
}
