using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Configuration;
using PlayChat.Server.Diagnostics;
using PlayChat.Server.Replies;
using PlayChat.Server.Rooms;
using PlayChat.Storage;

namespace PlayChat.Server.Cluster;

/// <summary>Creates and enters rooms of a cluster. Thread-safe.</summary>
/// <remarks>A player enters the directory, then the log, and when that is read back, this node's replica of the room.</remarks>
internal sealed class ClusterRooms
{
    // A node numbers its rooms from its incarnation times this number on. No two nodes have the same incarnation.
    private const long RoomsOfLife = 1_000_000;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_retryAfter = TimeSpan.FromSeconds(1);

    private readonly PlayChatServer _server;
    private readonly ClusterNode _node;
    private readonly ChatRoomServices _rooms;
    private readonly IChatStore _store;
    private readonly OtherNodes _others;
    private readonly ClusterSettings _settings;
    private long _lastRoom;

    public ClusterRooms(
        PlayChatServer server, ClusterNode node, ChatRoomServices rooms, IChatStore store, OtherNodes others, ServerSettings settings)
    {
        _server = server;
        _node = node;
        _rooms = rooms;
        _store = store;
        _others = others;
        _settings = settings.Cluster;
        node.RoomEmptied = CloseIfEmptyAsync;
    }

    public ClusterNode Node => _node;

    /// <summary>Another node for a request that comes while this one stops, as HOST:PORT, if its client can go there.</summary>
    public string? FindWayOut(Session session) => Redirects.AreFollowedBy(session) ? _node.FindWayOut() : null;

    /// <summary>Creates a room and lets its creator in. The answer has been sent when this completes.</summary>
    public async ValueTask CreateAsync(PacketContext context, string name, RoomKind kind, CancellationToken cancellationToken)
    {
        if (_node.Life is not { } life)
        {
            FailUnavailable(context);
            return;
        }

        long id;
        try
        {
            do
            {
                id = (life.Origin.Incarnation * RoomsOfLife) + Interlocked.Increment(ref _lastRoom);
            }
            while (await _store.GetRoomPositionAsync(id, cancellationToken) is not null); // of the time before the cluster

            await _store.SaveRoomAsync(id, name, _rooms.Time.GetUtcNow(), kind.ToAttributes(), cancellationToken);
        }
        catch (StorageException e)
        {
            ServerLog.RoomNotSaved(_rooms.Logger, e.Message);
            FailStorage(context);
            return;
        }

        await JoinAsync(context, id, cancellationToken);
    }

    /// <summary>Lets a player into a room. The answer has been sent when this completes.</summary>
    public async ValueTask JoinAsync(PacketContext context, long roomId, CancellationToken cancellationToken)
    {
        // The session's rooms include one whose turn has not come to the leave that was sent just before: the room itself is asked.
        ChatRoom? present = context.Session.FindRooms<ChatRoom>().FirstOrDefault(room => room.Id == roomId);
        if (present is not null && await present.HasMemberAsync(context.Session, cancellationToken))
        {
            context.Fail(ErrorCode.AlreadyInRoom, $"You are in room {roomId} already.");
            return;
        }

        if (_node.Life is not { } life)
        {
            FailUnavailable(context);
            return;
        }

        if (_settings.Affinity && await FindServingNodeAsync(life, context.Session, roomId, cancellationToken) is { } other)
        {
            context.FailRedirect(other);
            return;
        }

        (EnterOutcome outcome, LogOrder? room) = await ReserveAsync(life, context.Session, roomId, cancellationToken);
        if (outcome == EnterOutcome.Ready)
        {
            await EnterAsync(life, context, room!);
            return;
        }

        switch (outcome)
        {
            case EnterOutcome.NoSuchRoom:
                context.FailNoSuchRoom(roomId);
                break;
            case EnterOutcome.Full:
                context.Fail(
                    ErrorCode.RoomFull,
                    $"Room {roomId} is full ({_rooms.Settings.MaxMembers} members). Try again later, or join another room.");
                break;
            case EnterOutcome.ServerFull:
                context.Fail(
                    ErrorCode.ServerFull,
                    $"The server has reached its limit of {_rooms.Settings.MaxRooms} rooms. Join an existing room, or try again later.");
                break;
            case EnterOutcome.StorageUnavailable:
                FailStorage(context);
                break;
            default:
                FailUnavailable(context);
                break;
        }
    }

    /// <summary>
    /// Moves a player's membership of a room to this node. The replica can be asked then; <see cref="ReturnAsync"/> follows.
    /// </summary>
    /// <returns><see langword="null"/> when the player is no member any more, or this node has no place for the room.</returns>
    /// <exception cref="ClusterDirectoryException">The directory or the log is away. The player has to join the room again.</exception>
    public async Task<LogOrder?> MoveAsync(ClusterLife life, Session session, long roomId, CancellationToken cancellationToken)
    {
        IReadOnlyList<ClusterMember> members = await life.Directory.GetMembersAsync(roomId, cancellationToken);
        if (!members.Any(member => member.UserId == session.User!.Id))
        {
            return null; // the player has left, or its resume window has passed
        }

        (EnterOutcome outcome, LogOrder? room) = await ReserveAsync(life, session, roomId, cancellationToken);
        return outcome is EnterOutcome.Unavailable or EnterOutcome.StorageUnavailable
            ? throw new ClusterDirectoryException($"Entering room {roomId} failed. The player joins it again.")
            : room;
    }

    /// <summary>Makes the session a member of the replica, which sends it what it has missed.</summary>
    public static async Task ReturnAsync(ClusterLife life, PacketContext context, LogOrder room, long? replayAfter)
    {
        var join = new RoomJoin(context, replayAfter);
        JoinResult<ChatMember> result = await room.Room.JoinAsync(context.Session, join, cancellationToken: CancellationToken.None);
        if (result.Result != EnterResult.Entered)
        {
            GiveUp(life, context.Session, room.RoomId);
        }
    }

    /// <summary>Ends a membership whose session is no member of the replica here, and the replica without members.</summary>
    public static void GiveUp(ClusterLife life, Session session, long roomId)
    {
        life.Leaves.Add(roomId, session.User!.Id, session.Id, session.User.Name, mayReturn: true);
        life.FeedOf(roomId).Find(roomId)?.CloseIfUnused();
    }

    /// <summary>
    /// Finds the node that has the most members of a room, for a player that can go there: its client follows, it is in no room here, and
    /// this node does not serve the room. A join is redirected once at most: the other node may have failed.
    /// </summary>
    /// <returns>HOST:PORT, or <see langword="null"/> to serve the room here.</returns>
    private async Task<string?> FindServingNodeAsync(
        ClusterLife life, Session session, long roomId, CancellationToken cancellationToken)
    {
        if (!Redirects.AreFollowedBy(session)
            || Redirects.TakeStay(session)
            || session.FindRooms<ChatRoom>().Any()
            || life.FeedOf(roomId).Find(roomId) is not null)
        {
            return null;
        }

        try
        {
            IReadOnlyList<ClusterMember> members = await life.Directory.GetMembersAsync(roomId, cancellationToken);
            IGrouping<RecordOrigin, ClusterMember>? serving =
                members.GroupBy(static member => member.Node).MaxBy(static node => node.Count());
            string? other = serving is null ? null : _others.Redirect(serving.Key);
            if (other is not null)
            {
                Redirects.NoteSent(session);
            }

            return other;
        }
        catch (ClusterDirectoryException)
        {
            return null; // the join itself answers that
        }
    }

    /// <summary>Writes the membership to the directory and to the log, and waits until this node has read it.</summary>
    private async Task<(EnterOutcome Outcome, LogOrder? Room)> ReserveAsync(
        ClusterLife life, Session session, long roomId, CancellationToken cancellationToken)
    {
        var member = new ClusterMember(session.User!.Id, session.Id, session.User.Name);
        bool isWritten = false;
        try
        {
            if (await FindAsync(roomId, cancellationToken) is not { } position)
            {
                return (EnterOutcome.NoSuchRoom, null);
            }

            await life.Leaves.WaitAsync(roomId, member.UserId).WaitAsync(_settings.AnswerTimeout, _rooms.Time, cancellationToken);
            isWritten = true;
            if (await life.Directory.JoinAsync(roomId, member, _rooms.Settings.MaxMembers, cancellationToken) == JoinOutcome.Full)
            {
                return (EnterOutcome.Full, null);
            }

            while (await MakeReplicaAsync(life, position, cancellationToken) is { } room)
            {
                if (await room.AnnounceAsync(session))
                {
                    return (EnterOutcome.Ready, room);
                }

                if (!room.Room.IsRemoved)
                {
                    GiveUp(life, session, roomId);
                    return (EnterOutcome.Unavailable, null);
                }

                await Task.Delay(s_pause, cancellationToken); // the replica has lost its last member here, and makes way for another one
            }

            GiveUp(life, session, roomId);
            return (EnterOutcome.ServerFull, null);
        }
        catch (Exception e) when (e is ClusterDirectoryException or StorageException)
        {
            ServerLog.ClusterDirectoryFailed(_rooms.Logger, e.Message);
            if (isWritten)
            {
                GiveUp(life, session, roomId);
            }

            return (EnterOutcome.StorageUnavailable, null);
        }
        catch (TimeoutException) // the leave before this join waits for directory or log
        {
            return (EnterOutcome.Unavailable, null);
        }
        catch (NodeFencedException)
        {
            life.Fence("its lease has ended");
            return (EnterOutcome.Unavailable, null);
        }
        catch (OperationCanceledException) when (isWritten)
        {
            GiveUp(life, session, roomId); // the peer has gone
            throw;
        }
    }

    /// <summary>Makes the session a member of the replica, which answers.</summary>
    private async ValueTask EnterAsync(ClusterLife life, PacketContext context, LogOrder room)
    {
        var join = new RoomJoin(context);
        JoinResult<ChatMember> result = await room.Room.JoinAsync(context.Session, join, cancellationToken: CancellationToken.None);
        switch (result.Result)
        {
            case EnterResult.Entered:
                return;
            case EnterResult.AlreadyMember:
                context.Fail(ErrorCode.AlreadyInRoom, $"You are in room {room.RoomId} already.");
                return;
            case EnterResult.TooManyRooms:
                context.FailInTooManyRooms(_rooms.Settings.MaxPerPlayer);
                break;
            default:
                FailUnavailable(context); // the replica has ended meanwhile, or the node has lost its place
                break;
        }

        GiveUp(life, context.Session, room.RoomId);
    }

    private async Task<RoomPosition?> FindAsync(long roomId, CancellationToken cancellationToken) =>
        await _store.GetRoomPositionAsync(roomId, cancellationToken) is { State: not RoomState.Removed, RoomName: not null } position
            ? position
            : null;

    private async Task<LogOrder?> MakeReplicaAsync(ClusterLife life, RoomPosition position, CancellationToken cancellationToken)
    {
        long id = position.RoomId;
        ShardFeed feed = life.FeedOf(id);
        if (feed.Find(id) is not { } room)
        {
            IReadOnlyList<ChatRecord> said =
                await _store.ReadChatBeforeAsync(id, long.MaxValue, RoomArchive.RememberedMessages, cancellationToken);
            (LogOrder? made, bool isNew) = feed.GetOrAdd(id, (through, epoch, read) => Make(life, position, said, through, epoch, read));
            while (made is null)
            {
                if (_server.Rooms.Find(id) is null)
                {
                    return null; // there are too many rooms
                }

                await Task.Delay(s_pause, cancellationToken); // a former replica is still ending
                (made, isNew) = feed.GetOrAdd(id, (through, epoch, read) => Make(life, position, said, through, epoch, read));
            }

            room = made;
            if (isNew)
            {
                try
                {
                    room.SetRoster(await life.Directory.GetMembersAsync(id, CancellationToken.None));
                    await _store.SetRoomStateAsync(id, RoomState.Open, position.LastSequence, CancellationToken.None);
                }
                catch (Exception e)
                {
                    room.Fail(e);
                    throw;
                }
            }
        }

        await room.Ready.WaitAsync(cancellationToken);
        return room;
    }

    private LogOrder? Make(
        ClusterLife life, RoomPosition position, IReadOnlyList<ChatRecord> said, long through, uint epoch, RoomEntry[] read)
    {
        if (!_rooms.Quotas.Rooms.TryTake())
        {
            return null;
        }

        var made = new LogOrder(_rooms, life, epoch);
        ChatRoom? room = _server.Rooms.Restore(
            position.RoomId,
            position.RoomName!,
            context => new ChatRoom(context, _rooms, made, position with { LastSequence = through, State = RoomState.Stopped }, said));
        if (room is null)
        {
            _rooms.Quotas.Rooms.GiveBack(); // the former replica is still ending
            return null;
        }

        foreach (RoomEntry earlier in read)
        {
            made.Note(earlier, isEarlier: true);
        }

        return made;
    }

    /// <summary>Removes a room that has no members in the cluster, as a single server does.</summary>
    private async Task CloseIfEmptyAsync(ClusterLife life, long roomId)
    {
        try
        {
            if ((await life.Directory.GetMembersAsync(roomId, CancellationToken.None)).Count > 0)
            {
                return;
            }

            await _store.SetRoomStateAsync(roomId, RoomState.Removed, lastSequence: 0, CancellationToken.None);
            if ((await life.Directory.GetMembersAsync(roomId, CancellationToken.None)).Count > 0)
            {
                // A player has joined in this very moment.
                await _store.SetRoomStateAsync(roomId, RoomState.Open, lastSequence: 0, CancellationToken.None);
            }
        }
        catch (StorageException e)
        {
            ServerLog.RoomNotSaved(_rooms.Logger, e.Message);
        }
    }

    private static void FailStorage(PacketContext context) =>
        context.FailStorage("Joining a room needs the cluster's database, which is unavailable. Try again later.");

    private static void FailUnavailable(PacketContext context) => context.FailUnavailable(s_retryAfter);
}
