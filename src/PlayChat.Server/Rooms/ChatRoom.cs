using System.Diagnostics.CodeAnalysis;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Handlers;
using PlayChat.Server.Sessions;
using PlayChat.Storage;

namespace PlayChat.Server.Rooms;

/// <summary>A room of the chat: members, the order of what is said, and who hears it. Everything private happens in the room's turn.</summary>
internal sealed partial class ChatRoom : Room
{
    private readonly ChatRoomServices _services;
    private readonly RoomSequence _sequence;
    private readonly FormerMembers _former = new();
    private readonly RoomHistory _history;
    private readonly Dictionary<long, RoomMember> _members = []; // by player, those who are away included
    private readonly SRoomChatNtf _message = new(); // filled anew for each message and encoded at once, so one is enough
    private readonly SRoomChatRes _answer = new();
    private bool _isOpen;
    private volatile int _population;

    /// <param name="context">Of the registry.</param>
    /// <param name="services">What all rooms have in common.</param>
    /// <param name="earlier">How far it had come in an earlier run; without, it is a new room, which waits for its creator.</param>
    public ChatRoom(RoomContext context, ChatRoomServices services, RoomPosition? earlier = null)
        : base(context)
    {
        _services = services;
        Earlier = earlier;
        long behind = earlier?.LastSequence ?? 0;
        _sequence = new RoomSequence(behind, earlier is { State: RoomState.Open } ? RoomArchive.SkippedSequences : 0);
        _isOpen = earlier is not null;
        _unstored = services.Delivery.IsStored ? new UnstoredQueue() : null;
        _history = new RoomHistory(services.Settings.HistoryMessages, services.Settings.HistoryBytes, behind);
        SetPrivate(true); // until somebody is in it
    }

    /// <summary>How far it had come in an earlier run; <see langword="null"/> for a new room.</summary>
    public RoomPosition? Earlier { get; }

    /// <summary>Whether it is of an earlier run and nobody has come in yet. As of a moment ago.</summary>
    public bool IsUntouched => Earlier is not null && LatestSequence == Earlier.LastSequence;

    /// <summary>The sequence of its newest message. As of a moment ago.</summary>
    public long LatestSequence => _sequence.Latest;

    /// <summary>How many members the room has, those included who are away for a moment. As of a moment ago.</summary>
    public int Population => _population;

    /// <summary>Lets the creator in and answers. Once, before anybody else can enter.</summary>
    public ValueTask<bool> OpenAsync(RoomRequest request) =>
        this.PostAsync(static (ChatRoom room, RoomRequest asked, object? none) => room.Serve(asked, none, static (self, request, _) => self.Open(request)), request, null, CancellationToken.None);

    /// <summary>Lets a player in and answers, with the reason if it cannot be.</summary>
    /// <returns><see langword="false"/>, and no answer, when the room has been removed.</returns>
    public ValueTask<bool> JoinAsync(RoomRequest request, CancellationToken cancellationToken) =>
        this.PostAsync(static (ChatRoom room, RoomRequest asked, object? none) => room.Serve(asked, none, static (self, request, _) => self.InOrder(request, static (me, joining) => me.Join(joining))), request, null, cancellationToken);

    /// <summary>Lets a player go and answers, with the reason if it cannot be.</summary>
    /// <returns><see langword="false"/>, and no answer, when the room has been removed.</returns>
    public ValueTask<bool> LeaveAsync(RoomRequest request, CancellationToken cancellationToken) =>
        this.PostAsync(static (ChatRoom room, RoomRequest asked, object? none) => room.Serve(asked, none, static (self, request, _) => self.InOrder(request, static (me, leaving) => me.Leave(leaving))), request, null, cancellationToken);

    /// <summary>Gives a text its place, tells every member, and answers, with the reason if it cannot be. Waits while the room's queue is full.</summary>
    /// <param name="request">Who says it.</param>
    /// <param name="message">Its text has been checked.</param>
    /// <param name="cancellationToken">The sender has gone.</param>
    /// <returns><see langword="false"/>, and no answer, when the room has been removed.</returns>
    public ValueTask<bool> SayAsync(RoomRequest request, CRoomChatReq message, CancellationToken cancellationToken) =>
        this.PostAsync(static (ChatRoom room, RoomRequest asked, CRoomChatReq said) => room.Serve(asked, said, static (self, request, text) => self.Say(request, text)), request, message, cancellationToken);

    /// <summary>Reads what the room's memory has of a page of its history.</summary>
    /// <param name="session">Who asks.</param>
    /// <param name="isAfter">The page lies after the sequence, not before it.</param>
    /// <param name="sequence">Exclusive.</param>
    /// <param name="limit">Most messages.</param>
    /// <param name="pageBytes">About how many bytes, one message at least.</param>
    /// <param name="cancellationToken">The peer has gone.</param>
    /// <returns><see langword="null"/> when the one who asks is no member.</returns>
    public Task<HistorySlice?> ReadRecentAsync(Session session, bool isAfter, long sequence, int limit, int pageBytes, CancellationToken cancellationToken) =>
        AskAsync(
            room => !room.TryFind(session, out _) ? null
                : isAfter ? room._history.After(room.Id, sequence, limit, pageBytes)
                : room._history.Before(room.Id, sequence, limit, pageBytes),
            cancellationToken);

    /// <inheritdoc/>
    protected override void OnMemberLost(Session member)
    {
        if (TryFind(member, out RoomMember? lost))
        {
            lost.Session = null;
            if (lost.Presence.IsEnded)
            {
                TellLeft(lost);
            }
        }
    }

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

    /// <summary>Has something found out in the room's turn.</summary>
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
            presence.Remove(this); // the creator may have gone in this very moment
            if (added == AddRoomResult.TooMany)
            {
                FailInTooManyRooms(request);
            }

            return;
        }

        _isOpen = true;
        SetPrivate(false);
        _services.Archive.Add(this, _services.Time.GetUtcNow());
        AddMember(presence, session);
        Answer(request, ChatPackets.SCreateRoomRes, Fill(new SCreateRoomRes { RoomId = Id, Name = Name }));
        ServerLog.RoomCreated(_services.Logger, session.User!.Id, session.Id, Id, Name);
    }

    private void Join(RoomRequest request)
    {
        Session session = request.Session;
        Presence presence = Presence.Of(session)!;
        if (!session.Connection.IsOpen || !presence.IsOn(session))
        {
            RemoveIfEmpty(); // it may have been woken for this one
            return; // taken over or gone while this waited: it must not throw out the player's newer session
        }

        if (!_isOpen || IsRemoved)
        {
            Fail(request, ErrorCode.RoomNotFound, Answers.NoSuchRoom(Id));
            return;
        }

        if (_members.TryGetValue(presence.User.Id, out RoomMember? there))
        {
            if (there.Session == session)
            {
                Fail(request, ErrorCode.AlreadyInRoom, $"You are in room {Id} already.");
                return;
            }

            // The player's earlier login, of whose end the room has not heard yet: it must not leave after this one has come.
            Depart(there, keepRoom: true);
            if (_unstored is { IsEmpty: false })
            {
                InOrder(request, static (room, joining) => room.Join(joining)); // that it has left is heard when it is stored
                return;
            }
        }

        if (_members.Count >= _services.Settings.MaxMembers)
        {
            Fail(request, ErrorCode.RoomFull, $"Room {Id} has all the {_services.Settings.MaxMembers} members it takes. Try later, or another room.");
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

        // Those who were there before hear of it; the one who joins gets the answer instead.
        var joined = new Member { PlayerId = presence.User.Id, Name = presence.User.Name };
        long sequence = PublishJoin(joined);
        if (Enter(session) != EnterResult.Entered)
        {
            presence.Remove(this);
            SayLeft(joined); // its link ended in this very moment
            RemoveIfEmpty();
            return;
        }

        SetPrivate(false); // one of an earlier run was not listed while nobody was in it
        AddMember(presence, session);
        Answer(request, ChatPackets.SJoinRoomRes, Fill(new SJoinRoomRes { RoomId = Id, Name = Name, LatestSequence = sequence, History = { RecentSaid() } }));
        ServerLog.RoomJoined(_services.Logger, presence.User.Id, session.Id, Id, sequence);
    }

    private void Leave(RoomRequest request)
    {
        if (!TryFind(request.Session, out RoomMember? member))
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
        if (_unstored is null or { TakesMessages: true })
        {
            SayNow(request, said);
        }
        else
        {
            // What was taken out of the queue must not look at it again: others may still wait in it.
            Defer(request, said, static (room, asked, text) => room.SayNow(asked, text), isMessage: true);
        }
    }

    private void SayNow(RoomRequest request, CRoomChatReq said)
    {
        if (!TryFind(request.Session, out RoomMember? member))
        {
            FailNotMember(request);
            return;
        }

        Member speaker = member.Shown;
        if (!member.Recent.TryFind(said.ClientMessageId, out long sequence))
        {
            sequence = Publish(RoomEventKind.Chat, speaker, said.Text, request, said);
            member.Recent.Add(said.ClientMessageId, sequence);
        }
        else if (_unstored?.Find(sequence) is { } unstored)
        {
            if (!unstored.TryAddRepeat(request))
            {
                Fail(request, ErrorCode.StorageUnavailable, NotStoredYet);
            }
        }
        else
        {
            AnswerSaid(request, said, sequence, isDuplicate: true);
        }
    }

    /// <summary>Lets a member go, here or away, and tells the others.</summary>
    private void Depart(RoomMember member, bool keepRoom = false)
    {
        if (member.Session is { } session)
        {
            Leave(session);
        }

        TellLeft(member, keepRoom);
    }

    /// <summary>After a member was taken off the list: tells the others, or removes the room when there are none.</summary>
    private void TellLeft(RoomMember member, bool keepRoom = false)
    {
        _members.Remove(member.Shown.PlayerId);
        _former.Add(member);
        _population = _members.Count;
        member.Presence.Remove(this);
        ServerLog.RoomLeft(_services.Logger, member.Shown.PlayerId, member.Session?.Id ?? 0, Id);
        SayLeft(member.Shown);
        if (!keepRoom)
        {
            RemoveIfEmpty();
        }
    }

    private void SayLeft(Member member) => Publish(RoomEventKind.Leave, member, $"{member.Name} has left the room.");

    private void RemoveIfEmpty()
    {
        if (_members.Count == 0 && !IsRemoved)
        {
            RemoveAndGiveBack();
            ServerLog.RoomRemoved(_services.Logger, Id, Name, _sequence.Latest);
        }
    }

    private void RemoveAndGiveBack()
    {
        Remove();
        _services.Archive.Remove(this);
        _services.Quotas.Rooms.GiveBack();
        if (_unstored is not null)
        {
            _unstored.ForgetMessages();
            RunDeferred();
        }
    }

    /// <summary>Gives a message its sequence and hands it to the chat log; it is heard now, or when it is stored.</summary>
    /// <param name="kind">What it is.</param>
    /// <param name="who">Who spoke, or went.</param>
    /// <param name="text">What is said.</param>
    /// <param name="request">Who is to be answered, if anybody.</param>
    /// <param name="packet">How it was asked for.</param>
    private long Publish(RoomEventKind kind, Member who, string text, RoomRequest? request = null, CRoomChatReq? packet = null)
    {
        (long sequence, long previous) = _sequence.Next();
        long sentAt = _services.Time.GetUtcNow().ToUnixTimeMilliseconds();
        var said = new RoomEvent(kind, sequence, previous, sentAt, who, text, Bytes: 0);
        if (_unstored is null)
        {
            Deliver(in said, request, packet);
        }
        else
        {
            Await(in said, request, packet);
        }

        if (!_services.Log.Append(said.ToRecord(Id, Name)))
        {
            _history.NoteRefused(sequence);
        }

        return sequence;
    }

    /// <summary>Sends a message to every member, keeps it in the room's memory, and answers.</summary>
    private void Deliver(in RoomEvent said, RoomRequest? request, CRoomChatReq? packet)
    {
        said.Fill(_message, Id);
        int bodyBytes = Broadcast(ChatPackets.SRoomChatNtf, _message);
        _history.Add(said with { Bytes = bodyBytes });
        if (request is not null)
        {
            AnswerSaid(request, packet!, said.Sequence, isDuplicate: false);
            ServerLog.Broadcast(_services.Logger, Id, said.Sequence, said.Who.PlayerId, request.Session.Id, MemberCount);
        }
    }

    /// <summary>Gives a join its sequence and tells those who are members now. It goes to the memory, for whoever resumes, and not to the chat log.</summary>
    private long PublishJoin(Member joined)
    {
        (long sequence, long previous) = _sequence.Next();
        int bodyBytes = Broadcast(ChatPackets.SJoinRoomNtf, new SJoinRoomNtf { RoomId = Id, Member = joined, Sequence = sequence, PreviousSequence = previous });
        _history.Add(new RoomEvent(RoomEventKind.Join, sequence, previous, SentAtUnixMs: 0, joined, Text: "", bodyBytes));
        return sequence;
    }

    private List<SRoomChatNtf> RecentSaid() =>
        _history.Before(Id, long.MaxValue, _services.Settings.HistoryOnJoin, _services.History.PageBytes).Messages;

    private void AddMember(Presence presence, Session session)
    {
        RecentMessages recent = _former.Take(presence.User.Id) ?? new RecentMessages(_services.Settings.RecentMessageIds);
        _members.Add(presence.User.Id, new RoomMember(presence, session, recent));
        _population = _members.Count;
    }

    /// <summary>The member that is on a session.</summary>
    private bool TryFind(Session session, [NotNullWhen(true)] out RoomMember? member) =>
        _members.TryGetValue(session.User!.Id, out member) && member.Session == session;
}
