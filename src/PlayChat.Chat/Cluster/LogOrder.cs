using Google.Protobuf;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Chat.Rooms.Order;
using PlayChat.Cluster.Log;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Cluster;

/// <summary>
/// The order of one node's replica of a room: it publishes what the members do to the room's log, and lets them hear what it reads there.
/// </summary>
/// <remarks>All nodes read the same log, so all members see one order. A sender is answered when its message is read back.</remarks>
internal sealed class LogOrder(ChatRoomServices services, ClusterLife life, uint epoch) : RoomOrder(services, RememberedPlayers)
{
    private const int RememberedPlayers = 8192; // more than a room has members; on every node the same, so that all drop the same repeats

    private const string NotRead =
        "The servers cannot reach each other now. Your message may still be delivered later: send it again with the same client_message_id "
        + "to find out.";

    private const string NotPublished =
        "The servers of the cluster cannot reach each other now. Your message was not sent: try again later.";

    private static readonly TimeSpan s_retryAfter = TimeSpan.FromSeconds(1);

    private readonly ClusterLife _life = life;
    private readonly RoomRoster _roster = new();
    private readonly Dictionary<long, PendingEntry> _pending = []; // by number
    private readonly Dictionary<(long UserId, ulong Token), PendingEntry> _pendingById = []; // those with a client_message_id
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private uint _epoch = Math.Max(1, epoch);
    private List<RoomEntry>? _unsettled; // what changes register and terms, while they are read again
    private long _oldestPending;
    private int _awaited; // what this node has published and not read back: it stores that when it reads it

    /// <summary>Completes when the roster is known; faults when the directory is unreachable.</summary>
    public Task Ready => _ready.Task;

    /// <summary>The time of the oldest request that waits, as a timestamp; 0 when none waits. Safe to read from any thread.</summary>
    public long OldestPending => Interlocked.Read(ref _oldestPending);

    public override uint Epoch => _epoch;

    /// <inheritdoc/>
    /// <remarks>Without a register in the store, a node would not know what was changed before it had a replica.</remarks>
    public override bool CanModerate => Room.Register.IsLasting;

    /// <inheritdoc/>
    /// <remarks>The directory knows whether the room has members elsewhere, and the store keeps what lasts. The replica waits for what this
    /// node has published, and for a player whose join was read back and that enters next.</remarks>
    public override bool StaysEmpty => _awaited > 0 || _roster.Has(_life.Origin);

    public override IEnumerable<Member> Roster => _roster.Shown.Select(WithRole);

    /// <summary>Applies an entry that was read, or one that is older than this replica. Call it in the log's order. Safe to call from any
    /// thread.</summary>
    public void Note(RoomEntry entry, bool isEarlier = false) =>
        Post(this, static (order, read) => order.Apply(read.Entry, read.IsEarlier), (Entry: entry, IsEarlier: isEarlier));

    /// <summary>Notes that entries up to a sequence are missing. Safe to call from any thread.</summary>
    public void NoteGap(long through, uint epoch) =>
        Post(this, static (order, gap) => order.Skip(gap.Through, gap.Epoch), (Through: through, Epoch: epoch));

    /// <summary>Fails the requests that have waited since before a timestamp. Safe to call from any thread.</summary>
    public void NoteOverdue(long timestamp) => Post(this, static (order, since) => order.FailOverdue(since), timestamp);

    /// <summary>Fills the roster from the directory, read after the replica was made. Safe to call from any thread.</summary>
    public void SetRoster(IReadOnlyList<ClusterMember> members) => Post(
        this,
        static (order, read) =>
        {
            order._roster.Fill(read);
            if (!order._ready.TrySetResult()) // filled anew after a gap, in which members may have left
            {
                order.Room.SendStates();
                order.CloseIfLeft();
            }
        },
        members);

    /// <summary>Takes out the members that a node still has here long after its death. Safe to call from any thread.</summary>
    public void Forget(RecordOrigin dead) => Post(
        this,
        static (order, node) =>
        {
            if (order._roster.Remove(node))
            {
                order.Room.SendStates();
            }
        },
        dead);

    /// <summary>Stores terms, and players that a lost node has published and not stored. Safe to call from any thread.</summary>
    public void StoreMissing(IReadOnlyCollection<long> players) => _ = StoreMissingAsync(players);

    /// <summary>Fails the replica, because the directory is unreachable: no player enters it. Safe to call from any thread.</summary>
    public void Fail(Exception exception)
    {
        _ready.TrySetException(exception);
        CloseIfUnused();
    }

    /// <summary>Ends the replica when no session of this node is in it. Safe to call from any thread.</summary>
    public void CloseIfUnused() => Post(
        this,
        static (order, _) =>
        {
            if (order.Room.MemberCount == 0)
            {
                order.Room.Close();
            }
        },
        0);

    /// <summary>Publishes that a player joins through a session of this node, and waits until that is read back.</summary>
    /// <returns><see langword="false"/> when it was not published, or not read back in time.</returns>
    /// <exception cref="OperationCanceledException">It may be read back later.</exception>
    public async Task<bool> AnnounceAsync(Session session, CancellationToken cancellationToken)
    {
        var read = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        bool posted = await Room.PostAsync(
            static (ChatRoom _, Tuple<LogOrder, Session, TaskCompletionSource<bool>> job) => job.Item1.PublishJoin(job.Item2, job.Item3),
            Tuple.Create(this, session, read),
            CancellationToken.None);
        return posted && await read.Task.WaitAsync(cancellationToken);
    }

    /// <inheritdoc/>
    /// <remarks>A player that has left for good on another device meanwhile asks again.</remarks>
    public override bool Admits(PacketContext request) =>
        !_life.IsFenced && _roster.Has(request.Session.User!.Id, _life.Origin, request.Session.Id);

    /// <inheritdoc/>
    /// <remarks>The members have heard of it: the player enters when its join has been read back.</remarks>
    public override void Join(ChatMember member)
    {
    }

    public override Task<bool> ChangeAsync(RoomEventKind kind, Member by, long sequence, string text, long after = 0)
    {
        RoomEntryKind entry = kind switch
        {
            RoomEventKind.React => RoomEntryKind.Reacted,
            RoomEventKind.Unreact => RoomEntryKind.Unreacted,
            _ => RoomEntryKind.Edited,
        };
        return PublishAsync(entry, by, sequence, text, after);
    }

    /// <inheritdoc/>
    /// <remarks>It counts when the nodes read it. This node stores it, and no other one would know of it.</remarks>
    public override (Task<bool> Done, Task<bool> Stored) Commit(RoomChange change)
    {
        long leftOut = Services.Archive.LeftOut;
        var who = new Member { PlayerId = change.PlayerId, Name = change.Name };
        Task<bool> read = PublishAsync(RoomEntryKind.Moderated, who, sessionId: 0, change.ToText());
        return (read, StoredAsync(read, leftOut));
    }

    /// <inheritdoc/>
    /// <remarks>What the log does not take now is not told; the store has the report.</remarks>
    public override void Report(Report report, Session reporter) => _life.TryPublish(
        RoomEntryKind.Reported,
        RoomId,
        report.ReporterId,
        token: 0,
        _life.BodyOf(number: 0, reporter.Id, report.ReporterName, Convert.ToBase64String(report.ToByteArray())));

    /// <inheritdoc/>
    /// <remarks>What the log does not take now is not told.</remarks>
    public override void Type(ChatMember member) => _life.TryPublish(
        RoomEntryKind.Typing, RoomId, member.Shown.PlayerId, token: 0, _life.BodyOf(number: 0, member.Session.Id, "", ""));

    /// <inheritdoc/>
    /// <remarks>What the log does not take now, the other nodes of the player learn with its next mark.</remarks>
    public override void Read(RoomMembership known)
    {
        if (_roster.HasElsewhere(known.PlayerId, _life.Origin))
        {
            _life.TryPublish(RoomEntryKind.Read, RoomId, known.PlayerId, token: 0, _life.BodyOf(number: 0, known.ReadSequence, "", ""));
        }
    }

    public override void Leave(ChatMember member, LeaveReason reason)
    {
        long player = member.Shown.PlayerId;
        _awaited += member.Player.Farewell is null ? 0 : 1;
        _life.Leaves.Add(new ClusterLeave(RoomId, new ClusterMember(player, member.Session.Id, member.Shown.Name))
        {
            MayReturn = reason is LeaveReason.SessionEnded or LeaveReason.RoomRemoved,
            Farewell = member.Player.Farewell ?? "",
            Marked = Services.Archive.Memberships.FlushAsync(RoomId, player),
        });
    }

    public override void Close(Action remove)
    {
        _life.FeedOf(RoomId).Remove(this);
        _ready.TrySetResult(); // who waits for it finds the room closed, and makes another replica
        foreach (PendingEntry pending in _pending.Values)
        {
            pending.Read?.TrySetResult(false);
        }

        _pending.Clear();
        _pendingById.Clear();
        NoteOldest();
        remove();
    }

    protected override void SayFirst(PacketContext request, ChatMember member, CRoomChatReq said, string text)
    {
        var sender = new RoomRequest(request);
        if (said.ClientMessageId != 0
            && _pendingById.TryGetValue((member.Shown.PlayerId, said.ClientMessageId), out PendingEntry? waiting))
        {
            if (!waiting.TryAddRepeat(sender))
            {
                Room.Fail(request, ErrorCode.Unavailable, NotRead, s_retryAfter);
            }

            NoteOldest(); // the repeat waits, even where all earlier requests have their answer
        }
        else if (!TryPublish(
            RoomEntryKind.Chat, member.Shown, member.Session.Id, said.ClientMessageId, text,
            new PendingEntry(sender, said, Now, read: null)))
        {
            Room.Fail(request, ErrorCode.Unavailable, NotPublished, s_retryAfter);
        }
    }

    /// <inheritdoc/>
    /// <remarks>When it was published before and is not read back yet, it is read twice; the second one is then a repetition.</remarks>
    protected override bool TrySayFirst(Member from, ulong messageId, string text) => TryPublish(
        RoomEntryKind.Chat, from, sessionId: 0, messageId, text, new PendingEntry(request: null, packet: null, Now, read: null));

    private long Now => Services.Time.GetTimestamp();

    /// <summary>Publishes an entry for which the caller waits, and no request.</summary>
    /// <returns>Completes when it is read back; with <see langword="false"/> when it was not published, or not read back in time.</returns>
    private Task<bool> PublishAsync(RoomEntryKind kind, Member who, long sessionId, string text, long after = 0)
    {
        var read = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        if (!TryPublish(kind, who, sessionId, token: 0, text, new PendingEntry(request: null, packet: null, Now, read), after))
        {
            read.TrySetResult(false);
        }

        return read.Task;
    }

    private void PublishJoin(Session session, TaskCompletionSource<bool> read)
    {
        var who = new Member { PlayerId = session.User!.Id, Name = session.User.Name };
        var pending = new PendingEntry(request: null, packet: null, Now, read);
        if (!TryPublish(RoomEntryKind.Joined, who, session.Id, token: 0, Room.Name, pending))
        {
            read.TrySetResult(false);
        }
    }

    private bool TryPublish(
        RoomEntryKind kind, Member who, long sessionId, ulong token, string text, PendingEntry pending, long after = 0)
    {
        long number = _life.NextNumber();
        RoomEntryBody body = _life.BodyOf(number, sessionId, who.Name, text);
        body = body with { SentAtUnixMs = Math.Max(body.SentAtUnixMs, after + 1) };
        // Entered into _pending below, although it is published already: the room reads it back in a later turn.
        if (Room.IsClosed || !_life.TryPublish(kind, RoomId, who.PlayerId, token, in body))
        {
            return false;
        }

        _pending[number] = pending;
        _awaited++;
        if (token != 0 && pending.Packet is not null)
        {
            _pendingById[(who.PlayerId, token)] = pending;
        }

        NoteOldest();
        return true;
    }

    private void Apply(RoomEntry entry, bool isEarlier)
    {
        _epoch = Math.Max(1, entry.Position.Epoch);
        PendingEntry? pending = null;
        if (entry.Origin == _life.Origin && _pending.Remove(entry.Body.Number, out pending))
        {
            _pendingById.Remove((entry.UserId, entry.Token));
            NoteOldest();
        }

        switch (entry.Kind)
        {
            case RoomEntryKind.Typing:
                Room.TellTyping(entry.UserId);
                break;
            case RoomEntryKind.Read:
                if (entry.Origin != _life.Origin)
                {
                    Room.Register.NoteRead(entry.UserId, entry.Body.SessionId, stores: false);
                }

                break;
            case RoomEntryKind.Reported:
                Session? reporter = entry.Origin == _life.Origin
                    ? Room.FindPlayer(entry.UserId)?.Devices.FirstOrDefault(device => device.Id == entry.Body.SessionId)
                    : null;
                Room.Moderation.TellModerators(Protocol.Report.Parser.ParseFrom(Convert.FromBase64String(entry.Body.Text)), reporter);
                break;
            case RoomEntryKind.Edited when Room.Journal.History.Find(entry.Body.SessionId) is { Kind: RoomEventKind.Chat, Text: "" }:
                pending?.Read?.TrySetResult(false); // it was deleted before, as the author is told when it tries again
                break;
            case RoomEntryKind.Edited or RoomEntryKind.Reacted or RoomEntryKind.Unreacted:
                Deliver(entry, WithRole(_roster.Of(entry)), isEarlier);
                break;
            case RoomEntryKind.Chat:
                ApplyChat(entry, pending, isEarlier);
                break;
            case RoomEntryKind.Moderated:
                ApplyChange(entry, isEarlier);
                break;
            default:
                ApplyMove(entry, isEarlier);
                break;
        }

        pending?.Read?.TrySetResult(true);
        bool isOwnLeave = entry.Kind == RoomEntryKind.Left && IsOwn(entry, isEarlier);
        if (_awaited > 0 && (pending is not null || (isOwnLeave && entry.Body.Text.Length > 0)))
        {
            _awaited--;
        }

        if (pending is not null || isOwnLeave)
        {
            CloseIfLeft();
        }
    }

    private async Task<bool> StoredAsync(Task<bool> read, long leftOut) => await read && await Services.Archive.WrittenAsync(leftOut);

    /// <summary>Ends the replica that had only stayed for that.</summary>
    private void CloseIfLeft()
    {
        if (Room.MemberCount == 0 && !StaysEmpty)
        {
            Room.Close();
        }
    }

    private void ApplyChat(RoomEntry entry, PendingEntry? pending, bool isEarlier)
    {
        // The store may have it already: the same sequence is the same message.
        bool isKnown = Recent.TryFind(entry.UserId, entry.Token, out long first);
        bool isDuplicate = isKnown && first < entry.Sequence;
        if (!isDuplicate)
        {
            first = entry.Sequence;
            if (!isKnown)
            {
                Recent.Add(entry.UserId, entry.Token, entry.Sequence);
            }

            Deliver(entry, _roster.Of(entry), isEarlier);
            if (IsOwn(entry, isEarlier))
            {
                Room.Register.NoteMentions(entry.Body.Text, entry.UserId, entry.Sequence);
            }
        }

        if (pending is not null)
        {
            AnswerAll(pending, first, isDuplicate);
        }
    }

    /// <summary>A player has joined or left.</summary>
    private void ApplyMove(RoomEntry entry, bool isEarlier)
    {
        Member? who = _roster.Apply(entry, isEarlier);
        if (who is not null || entry.Kind == RoomEntryKind.Joined)
        {
            Learn(entry, change: null, IsOwn(entry, isEarlier));
        }

        if (entry.Kind == RoomEntryKind.Joined && entry.Origin != _life.Origin
            && Room.FindPlayer(entry.UserId) is not null && Room.Register.Find(entry.UserId) is { } known)
        {
            Read(known); // the store may not have it yet
        }

        if (who is not null)
        {
            if (entry is { Kind: RoomEntryKind.Left, Body.Text: not "" })
            {
                Room.TakeOutDevices(entry.UserId);
            }

            bool isAway = Room.Register.IsLasting && entry is { Kind: RoomEntryKind.Left, Body.Text: "" };
            Deliver(
                entry,
                WithRole(who),
                isEarlier,
                happened => isAway ? happened with { Kind = RoomEventKind.Away, Text = $"{who.Name} is offline." } : happened);
        }
    }

    /// <summary>A moderator has changed something.</summary>
    private void ApplyChange(RoomEntry entry, bool isEarlier)
    {
        RoomChange change = RoomChange.Parse(entry.Body.Text);
        bool isOwn = IsOwn(entry, isEarlier);
        if (change.Ends)
        {
            if (isOwn)
            {
                Services.Archive.RemoveShared(RoomId, entry.Sequence);
            }

            Room.End(change.Text);
            return;
        }

        bool isLeave = change.Parting is not null && _roster.Remove(change.PlayerId);
        Member who = Learn(entry, change, isOwn)!;
        Room.Enforce(change, who);
        RoomEventKind kind = isLeave ? RoomEventKind.Leave : RoomEventKind.Notice;
        Deliver(entry, who, isEarlier, happened => happened with { Kind = kind, Text = change.Text, Terms = Room.TermsAfter(change) });
    }

    /// <summary>Takes over what an entry says of members and terms. It takes out no player, which may have come back since.</summary>
    /// <returns>The player that a moderator has changed something about, as it is now.</returns>
    private Member? Learn(RoomEntry entry, RoomChange? change, bool stores)
    {
        _unsettled?.Add(entry);
        switch (entry.Kind)
        {
            case RoomEntryKind.Moderated:
                return Room.Apply(change ?? RoomChange.Parse(entry.Body.Text), stores);
            case RoomEntryKind.Joined when Room.Register.FindBar(entry.UserId) is null: // a ban may have come before it
                Room.Register.Enter(_roster.Of(entry), Room.LatestSequence, stores);
                break;
            case RoomEntryKind.Left when entry.Body.Text.Length > 0:
                Room.Register.Remove(entry.UserId, stores);
                break;
        }

        return null;
    }

    private bool IsOwn(RoomEntry entry, bool isEarlier) => !isEarlier && entry.Origin == _life.Origin;

    private Member WithRole(Member who) =>
        Room.Register.RoleOf(who.PlayerId) is var role && role == who.Role ? who : new Member(who) { Role = role };

    /// <summary>Delivers an entry, whose sequence is its place in the log. A message is stored by the node that has published it.</summary>
    /// <remarks>When a node has ended, another one stores its messages.</remarks>
    private void Deliver(RoomEntry entry, Member who, bool isEarlier, Func<RoomEvent, RoomEvent>? shape = null)
    {
        Room.Journal.Advance(entry.Sequence);
        RoomEvent happened = entry.ToEvent(Room.Journal.History.Latest, who);
        happened = shape is null ? happened : shape(happened);
        if (happened.Kind == RoomEventKind.Edit && Room.Journal.History.Find(happened.Target) is { } message)
        {
            happened = happened with { SentAtUnixMs = Math.Max(happened.SentAtUnixMs, message.EditedAtUnixMs + 1) };
        }

        Room.Deliver(in happened);
        if (happened.IsStored && IsOwn(entry, isEarlier))
        {
            Room.Store(in happened, entry.Token);
        }
    }

    private void Skip(long through, uint epoch)
    {
        _epoch = Math.Max(1, epoch);
        _roster.Await();
        if (Room.Register.IsLasting)
        {
            _unsettled ??= [];
            _ = ReloadAsync();
        }

        Room.Journal.Restart(through);
        Room.SendStates();
        _awaited = 0; // it may be among what is missing
        CloseIfLeft();
    }

    /// <summary>Reads terms and register again, because changes of them may be missing.</summary>
    private async Task ReloadAsync()
    {
        while (!_life.IsFenced)
        {
            try
            {
                (RoomKind Kind, IReadOnlyList<RoomMembership> Members) read = await Services.Archive.ReadSharedAsync(RoomId);
                Post(this, static (order, stored) => order.Reload(stored.Kind, stored.Members), read);
                return;
            }
            catch (StorageException e)
            {
                ServerLog.RoomNotSaved(Services.Logger, e.Message);
                await Task.Delay(s_retryAfter, Services.Time);
            }
        }
    }

    private async Task StoreMissingAsync(IReadOnlyCollection<long> players)
    {
        if (!Room.Register.IsLasting)
        {
            return;
        }

        try
        {
            (_, IReadOnlyList<RoomMembership> stored) = await Services.Archive.ReadSharedAsync(RoomId);
            Post(this, static (order, lost) => order.Room.StoreMissing(lost.Players, lost.Stored), (Players: players, Stored: stored));
        }
        catch (StorageException e)
        {
            ServerLog.RoomNotSaved(Services.Logger, e.Message);
        }
    }

    private void Reload(RoomKind kind, IReadOnlyList<RoomMembership> members)
    {
        Room.Reload(kind, members);
        RoomEntry[] since = [.. _unsettled ?? []];
        _unsettled = null;
        Array.ForEach(since, entry => Learn(entry, change: null, stores: false));
    }

    private void FailOverdue(long since)
    {
        foreach (PendingEntry pending in _pending.Values.Where(pending => pending.Since <= since))
        {
            pending.Read?.TrySetResult(false);
            FailAll(pending.Requests, ErrorCode.Unavailable, NotRead, s_retryAfter);
        }

        NoteOldest();
    }

    private void NoteOldest()
    {
        long oldest = 0;
        foreach (PendingEntry pending in _pending.Values)
        {
            if (pending.IsAwaited || pending.Read is { Task.IsCompleted: false })
            {
                oldest = pending.Since; // the dictionary has them nearly in their order: the first that waits is among the oldest
                break;
            }
        }

        Interlocked.Exchange(ref _oldestPending, oldest);
    }

    /// <summary>An entry that this node has published for the room and has not read back yet.</summary>
    /// <param name="request">The request that waits for it, if it is a message.</param>
    /// <param name="packet">The packet of that request.</param>
    /// <param name="since">When it was published.</param>
    /// <param name="read">Completes with a join; <see langword="null"/> for a message.</param>
    private sealed class PendingEntry(RoomRequest? request, CRoomChatReq? packet, long since, TaskCompletionSource<bool>? read)
        : PendingMessage(request, packet, since)
    {
        public TaskCompletionSource<bool>? Read => read;
    }
}
