using PlayChat.Cluster.Directory;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Rooms;
using PlayChat.Storage;

namespace PlayChat.Server.Cluster;

/// <summary>
/// One node's replica of a chat room: it publishes what its members do to the room's log, and delivers what it reads there.
/// </summary>
/// <remarks>
/// <para>All nodes read the same log, so all members see one order. A sender is answered when its message is read back.</para>
/// <para><see cref="Room.MemberCount"/> counts the members on this node; the roster has those of all nodes.</para>
/// </remarks>
internal sealed class ClusterRoom : ChatRoom
{
    private const string NotRead =
        "The servers cannot reach each other now. Your message may still be delivered later: send it again with the same client_message_id "
        + "to find out.";

    private const string NotPublished =
        "The servers of the cluster cannot reach each other now. Your message was not sent: try again later.";

    private static readonly TimeSpan s_retryAfter = TimeSpan.FromSeconds(1);

    private readonly ClusterLife _life;
    private readonly ChatRoomServices _services;
    private readonly Dictionary<long, RosterEntry> _roster = []; // by player id
    private readonly Dictionary<long, PendingEntry> _pending = []; // by number
    private readonly Dictionary<(long UserId, ulong Token), PendingEntry> _pendingById = []; // those with a client_message_id
    private readonly Dictionary<Session, long?> _returning = []; // after which sequence a restored session gets everything
    private readonly RecentOfPlayers _recent;
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private List<RoomEntry>? _sinceMade = []; // changes of members since the replica was made, until the roster is known
    private uint _epoch;
    private long _oldestPending;
    private int _population;
    private bool _hasClosed;

    /// <param name="context">The context from the registry.</param>
    /// <param name="services">The services that all rooms share.</param>
    /// <param name="life">The node's present life.</param>
    /// <param name="position">The room, with the last sequence of which this node has no log entry.</param>
    /// <param name="epoch">The epoch of the room's log.</param>
    /// <param name="said">The last messages that are stored, oldest first.</param>
    /// <param name="read">The room's entries behind <paramref name="position"/>, in the order of the log.</param>
    public ClusterRoom(
        RoomContext context,
        ChatRoomServices services,
        ClusterLife life,
        RoomPosition position,
        uint epoch,
        IReadOnlyList<ChatRecord> said,
        RoomEntry[] read)
        // The sequence before the first entry is any record of the shard, and not a message that the store could have.
        : base(context, services, position, lastMessage: said.Count == 0 ? 0 : said[^1].Sequence)
    {
        _services = services;
        _life = life;
        _epoch = Math.Max(1, epoch);
        _recent = new RecentOfPlayers(services.Settings.RecentMessageIds);
        _recent.Restore(said);
        foreach (RoomEntry entry in read)
        {
            PostJob(static (room, earlier) => room.Apply(earlier, isEarlier: true), entry);
        }
    }

    /// <summary>Completes when the roster is known; faults when the directory is unreachable.</summary>
    public Task Ready => _ready.Task;

    /// <summary>The time of the oldest request that waits, as a timestamp; 0 when none waits. Safe to read from any thread.</summary>
    public long OldestPending => Interlocked.Read(ref _oldestPending);

    /// <inheritdoc/>
    public override int Population => Volatile.Read(ref _population);

    /// <inheritdoc/>
    protected override uint Epoch => _epoch;

    /// <inheritdoc/>
    protected override List<Member> Shown => [.. _roster.Values.Select(static entry => entry.Shown)];

    /// <summary>Applies an entry that was read. Call it in the log's order. It never waits.</summary>
    public void Note(RoomEntry entry) => PostJob(static (room, read) => room.Apply(read, isEarlier: false), entry);

    /// <summary>Notes that entries up to a sequence are missing.</summary>
    public void NoteGap(long through, uint epoch) =>
        PostJob(static (room, gap) => room.Skip(gap.Through, gap.Epoch), (Through: through, Epoch: epoch));

    /// <summary>Fails the requests that have waited since before a timestamp.</summary>
    public new void NoteOverdue(long timestamp) => PostJob(static (room, since) => room.FailOverdue(since), timestamp);

    /// <summary>Fills the roster from the directory, read after the replica was made.</summary>
    public void SetRoster(IReadOnlyList<ClusterMember> members) => PostJob(static (room, read) => room.FillRoster(read), members);

    /// <summary>Fails the replica, because the directory is unreachable: no player enters it.</summary>
    public void Fail(Exception exception)
    {
        _ready.TrySetException(exception);
        CloseIfUnused();
    }

    /// <summary>Ends the replica when no session of this node is in it.</summary>
    public void CloseIfUnused() => PostJob(
        static (room, _) =>
        {
            if (room.Members.Count == 0)
            {
                room.CloseReplica();
            }
        },
        0);

    /// <summary>Publishes that a player joins through a session of this node, and waits until that is read back.</summary>
    /// <returns><see langword="false"/> when it was not published, or not read back in time.</returns>
    public async Task<bool> AnnounceAsync(Session session)
    {
        var read = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        bool posted = await this.PostAsync(
            static (ClusterRoom room, Tuple<Session, TaskCompletionSource<bool>> join) => room.PublishJoin(join.Item1, join.Item2),
            Tuple.Create(session, read),
            CancellationToken.None);
        return posted && await read.Task;
    }

    /// <summary>Measures what the room can resend to a session that comes from another node, and prepares its entry.</summary>
    public Task<RoomStanding?> PrepareRestoreAsync(Session session, long seen, int maxBytes, CancellationToken cancellationToken) =>
        AskAsync(
            room =>
            {
                var self = (ClusterRoom)room;
                RoomStanding standing = self.History.Measure(seen);
                bool canRecover = standing.CanRecover && standing.MissedBytes <= maxBytes;
                self._returning[session] = canRecover ? seen : null;
                return standing with { CanRecover = canRecover, Epoch = self._epoch };
            },
            cancellationToken);

    /// <inheritdoc/>
    protected override void Say(PacketContext context, ChatMember member, CRoomChatReq said, string text)
    {
        long player = member.Shown.PlayerId;
        if (_recent.TryFind(player, said.ClientMessageId, out long sequence))
        {
            AnswerSaid(context, said, sequence, isDuplicate: true);
        }
        else if (said.ClientMessageId != 0 && _pendingById.TryGetValue((player, said.ClientMessageId), out PendingEntry? waiting))
        {
            if (context.RequestId != 0 && !waiting.TryAddRepeat(new RoomRequest(context)))
            {
                Fail(context, ErrorCode.Unavailable, NotRead, s_retryAfter);
            }

            NoteOldest(); // the repeat waits, even where all earlier requests have their answer
        }
        else
        {
            var pending = new PendingEntry(player, _services.Time.GetTimestamp(), new RoomRequest(context), said, Read: null);
            if (!TryPublish(RoomEntryKind.Chat, member.Session, said.ClientMessageId, text, pending))
            {
                Fail(context, ErrorCode.Unavailable, NotPublished, s_retryAfter);
            }
        }
    }

    /// <inheritdoc/>
    protected override JoinDecision<ChatMember> OnJoining(Session session, PacketContext request) =>
        _life.IsFenced ? Refuse(NotPublished) : new ChatMember(session, request);

    /// <inheritdoc/>
    protected override void OnEnter(ChatMember member)
    {
        SetPrivate(false);
        switch ((PacketId)member.Request.PacketId)
        {
            case PacketId.CResumeReq:
                _returning.Remove(member.Session, out long? seen);
                member.ReplayAfter = seen;
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
    protected override void OnLeave(ChatMember member, LeaveReason reason)
    {
        long player = member.Shown.PlayerId;
        ServerLog.RoomLeft(_services.Logger, player, member.Session.Id, Id);
        bool hasMoved = _roster.TryGetValue(player, out RosterEntry? present)
            && (present.Node != _life.Origin || present.SessionId != member.Session.Id);
        if (!hasMoved)
        {
            _life.Leaves.Add(
                Id, player, member.Session.Id, member.Shown.Name, mayReturn: reason is LeaveReason.SessionEnded or LeaveReason.RoomRemoved);
        }
    }

    /// <inheritdoc/>
    protected override void OnEmpty() => CloseReplica();

    // Jobs keep their order. A job that meets a full queue waits for a place, and is never dropped.
    private void PostJob<TState>(Action<ClusterRoom, TState> job, TState state) =>
        _ = this.PostAsync(
            static (ClusterRoom room, Tuple<Action<ClusterRoom, TState>, TState> run) => run.Item1(room, run.Item2),
            Tuple.Create(job, state),
            CancellationToken.None).AsTask();

    private void CloseReplica()
    {
        if (_hasClosed)
        {
            return;
        }

        _hasClosed = true;
        _life.FeedOf(Id).Remove(this);
        _services.Quotas.Rooms.GiveBack();
        foreach (PendingEntry pending in _pending.Values)
        {
            pending.Read?.TrySetResult(false);
        }

        _pending.Clear();
        _pendingById.Clear();
        NoteOldest();
        Remove();
    }

    private void PublishJoin(Session session, TaskCompletionSource<bool> read)
    {
        var pending = new PendingEntry(session.User!.Id, _services.Time.GetTimestamp(), Request: null, Packet: null, read);
        if (!TryPublish(RoomEntryKind.Joined, session, token: 0, text: "", pending))
        {
            read.TrySetResult(false);
        }
    }

    private bool TryPublish(RoomEntryKind kind, Session session, ulong token, string text, PendingEntry pending)
    {
        SessionUser user = session.User!;
        long number = _life.NextNumber();
        // Entered into _pending below, although it is published already: the room reads it back in a later turn.
        if (_hasClosed || !_life.TryPublish(kind, Id, user.Id, token, _life.BodyOf(number, session.Id, user.Name, text)))
        {
            return false;
        }

        _pending[number] = pending;
        if (token != 0)
        {
            _pendingById[(user.Id, token)] = pending;
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
            case RoomEntryKind.Chat:
                ApplyChat(entry, pending, isEarlier);
                break;
            case RoomEntryKind.Joined or RoomEntryKind.Left:
                if (!isEarlier)
                {
                    _sinceMade?.Add(entry);
                }

                ApplyMember(entry, isEarlier);
                Volatile.Write(ref _population, _roster.Count);
                pending?.Read?.TrySetResult(true);
                break;
        }
    }

    private void ApplyChat(RoomEntry entry, PendingEntry? pending, bool isEarlier)
    {
        // The store may have it already: the same sequence is the same message.
        bool isKnown = _recent.TryFind(entry.UserId, entry.Token, out long first);
        bool isDuplicate = isKnown && first < entry.Sequence;
        if (!isDuplicate)
        {
            first = entry.Sequence;
            Member who = _roster.TryGetValue(entry.UserId, out RosterEntry? member)
                ? member.Shown
                : new Member { PlayerId = entry.UserId, Name = entry.Body.Name };
            Deliver(entry, who);
            if (!isKnown)
            {
                _recent.Add(entry.UserId, entry.Token, entry.Sequence);
            }

            Store(entry, isEarlier);
        }

        if (pending?.Packet is { } packet)
        {
            AnswerSaid(pending.Request!, packet, first, isDuplicate);
            foreach (RoomRequest repeat in pending.Repeats ?? [])
            {
                AnswerSaid(repeat, packet, first, isDuplicate: true);
            }
        }
    }

    private void ApplyMember(RoomEntry entry, bool isEarlier)
    {
        if (entry.Kind == RoomEntryKind.Joined)
        {
            var member = new Member { PlayerId = entry.UserId, Name = entry.Body.Name };
            // The player has moved here from another session, and the other members need not hear of that. The directory's roster may
            // have this very session already.
            bool hasMoved = _roster.TryGetValue(entry.UserId, out RosterEntry? before)
                && (before.Node != entry.Body.Node || before.SessionId != entry.Body.SessionId);
            _roster[entry.UserId] = new RosterEntry(member, entry.Body.Node, entry.Body.SessionId);
            if (!hasMoved)
            {
                Deliver(entry, member);
            }
        }
        else if (IsOf(entry, out RosterEntry? left) || (isEarlier && left is null))
        {
            _roster.Remove(entry.UserId);
            Deliver(entry, left?.Shown ?? new Member { PlayerId = entry.UserId, Name = entry.Body.Name });
            Store(entry, isEarlier);
        }
    }

    /// <summary>Delivers an entry, whose sequence is its place in the log.</summary>
    private void Deliver(RoomEntry entry, Member who)
    {
        Journal.Advance(entry.Sequence);
        Deliver(entry.ToEvent(History.Latest, who));
    }

    /// <summary>Whether the member that an entry names is in the room through the session that it names.</summary>
    private bool IsOf(RoomEntry entry, out RosterEntry? member) => _roster.TryGetValue(entry.UserId, out member)
        && member.Node == entry.Body.Node
        && member.SessionId == entry.Body.SessionId;

    /// <summary>Stores a message, if this node has published it. When a node has ended, another one stores its messages.</summary>
    private void Store(RoomEntry entry, bool isEarlier)
    {
        if (!isEarlier && entry.Origin == _life.Origin && !_services.Log.Append(entry.ToRecord(Name)))
        {
            History.NoteRefused(entry.Sequence);
        }
    }

    private void FillRoster(IReadOnlyList<ClusterMember> members)
    {
        _roster.Clear();
        foreach (ClusterMember member in members)
        {
            _roster[member.UserId] = new RosterEntry(
                new Member { PlayerId = member.UserId, Name = member.Name }, member.Node, member.SessionId);
        }

        // The directory's roster may contain some of these changes already. Applying one twice changes nothing.
        foreach (RoomEntry entry in _sinceMade ?? [])
        {
            if (entry.Kind == RoomEntryKind.Joined)
            {
                _roster[entry.UserId] = new RosterEntry(
                    new Member { PlayerId = entry.UserId, Name = entry.Body.Name }, entry.Body.Node, entry.Body.SessionId);
            }
            else if (IsOf(entry, out _))
            {
                _roster.Remove(entry.UserId);
            }
        }

        _sinceMade = null;
        Volatile.Write(ref _population, _roster.Count);
        _ready.TrySetResult();
    }

    private void Skip(long through, uint epoch)
    {
        _epoch = Math.Max(1, epoch);
        _sinceMade ??= []; // until the roster has been read again
        Journal.Restart(through);
        foreach (ChatMember member in Members)
        {
            SendState(member.Session);
        }
    }

    private void FailOverdue(long since)
    {
        foreach (PendingEntry pending in _pending.Values.Where(pending => pending.Since <= since))
        {
            pending.Read?.TrySetResult(false);
            foreach (RoomRequest request in pending.Requests.Where(static request => !request.IsAnswered))
            {
                Fail(request.Context, ErrorCode.Unavailable, NotRead, s_retryAfter);
                request.IsAnswered = true;
            }
        }

        NoteOldest();
    }

    private void NoteOldest()
    {
        long oldest = 0;
        foreach (PendingEntry pending in _pending.Values)
        {
            if (pending.IsAwaited)
            {
                oldest = pending.Since; // the dictionary has them nearly in their order: the first that waits is among the oldest
                break;
            }
        }

        Interlocked.Exchange(ref _oldestPending, oldest);
    }
}
