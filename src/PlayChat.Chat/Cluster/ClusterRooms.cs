using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Cluster;

/// <summary>Makes the rooms of a cluster and this node's replicas of them. Thread-safe.</summary>
/// <remarks>A player enters the directory, then the log, and when that is read back, this node's replica of the room.</remarks>
internal sealed class ClusterRooms
{
    // A node numbers its rooms from its incarnation times this number on. No two nodes have the same incarnation. A life makes fewer rooms,
    // and for the first nine million lives JavaScript has the number exactly.
    private const long RoomsOfLife = 1_000_000_000;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(10);

    private readonly PlayChatServer _server;
    private readonly ChatRoomServices _rooms;
    private readonly IChatStore _store;
    private readonly ClusterSettings _settings;
    private readonly Tally<(long RoomId, long SessionId)> _attempts = new(); // to enter, that have not ended; guarded by itself
    private long _lastRoom;

    public ClusterRooms(
        PlayChatServer server, ClusterNode node, ChatRoomServices rooms, IChatStore store, ServerSettings settings)
    {
        _server = server;
        _rooms = rooms;
        _store = store;
        _settings = settings.Cluster;
        node.RoomEmptied = CloseIfEmptyAsync;
    }

    /// <summary>Makes a room, which has no replica yet.</summary>
    /// <returns>Its id, and where rooms last the room that has its name, which may be another one; <see langword="null"/> for that when its
    /// creator has as many rooms as it may.</returns>
    /// <exception cref="StorageException">The database is away.</exception>
    public async Task<(long Id, long? Owner)> CreateAsync(
        ClusterLife life, string name, RoomKind kind, CancellationToken cancellationToken)
    {
        long id;
        do
        {
            id = (life.Origin.Incarnation * RoomsOfLife) + Interlocked.Increment(ref _lastRoom);
        }
        while (await _store.GetRoomPositionAsync(id, cancellationToken) is not null); // of the time before the cluster

        await _store.SaveRoomAsync(id, name, _rooms.Time.GetUtcNow(), kind.ToAttributes(), cancellationToken);
        if (!_rooms.RoomsLast)
        {
            return (id, id);
        }

        // Claimed when it is saved: a node that ends between the two leaves no claim without a room.
        string claim = _rooms.Archive.Names.ClaimOf(name, id);
        long? owner = await _store.ClaimRoomAsync(id, claim, kind.CreatorId, _rooms.Settings.MaxCreatedPerPlayer, cancellationToken);
        if (owner != id)
        {
            await _store.SetRoomStateAsync(id, RoomState.Removed, lastSequence: 0, cancellationToken);
        }

        return (id, owner);
    }

    /// <summary>The hash of the password that a player needs for a room; <see langword="null"/> for none.</summary>
    /// <exception cref="StorageException">The database is away.</exception>
    public async Task<string?> FindPasswordAsync(long roomId, long playerId, CancellationToken cancellationToken) =>
        await FindAsync(roomId, cancellationToken) is { } position
            && RoomKind.Parse(position.Attributes) is { PasswordHash: { } hash } kind
            && kind.CreatorId != playerId
            && await _store.FindMembershipAsync(roomId, playerId, cancellationToken) is not { IsMember: true }
            ? hash
            : null;

    /// <summary>Moves a player's membership of a room to this node. The player enters the replica next.</summary>
    /// <returns><see langword="null"/> when the player is no member any more, or this node has no place for the room.</returns>
    /// <exception cref="ClusterDirectoryException">The directory or the log is away. The player has to join the room again.</exception>
    public async Task<LogOrder?> MoveAsync(ClusterLife life, Session session, long roomId, CancellationToken cancellationToken)
    {
        IReadOnlyList<ClusterMember> members = await life.Directory.GetMembersAsync(roomId, cancellationToken);
        if (!members.Any(member => member.UserId == session.User!.Id) && !await IsOfflineAsync(roomId, session.User!.Id, cancellationToken))
        {
            return null; // the player has left, or its resume window has passed
        }

        Reservation reserved = await ReserveAsync(life, session, roomId, openedHash: null, cancellationToken);
        return reserved.Error is ErrorCode.Unavailable or ErrorCode.StorageUnavailable
            ? throw new ClusterDirectoryException($"Entering room {roomId} failed. The player joins it again.")
            : reserved.Replica;
    }

    // A member of a room that lasts is offline when its node was cut off from the directory for longer than its lease.
    private async Task<bool> IsOfflineAsync(long roomId, long playerId, CancellationToken cancellationToken)
    {
        try
        {
            return _rooms.RoomsLast
                && await _store.FindMembershipAsync(roomId, playerId, cancellationToken) is { IsMember: true };
        }
        catch (StorageException e)
        {
            throw new ClusterDirectoryException($"Room {roomId} is stored in a database that is away. The player joins it again.", e);
        }
    }

    /// <summary>A session has entered the replica for which it had a reservation.</summary>
    public void NoteEntered(Session session, long roomId) => EndAttempt(session, roomId);

    /// <summary>Ends the membership of a reservation whose session has not entered the replica.</summary>
    /// <remarks>A client that resumes asks again: another attempt of the session may be under way, or have been let in.</remarks>
    public void GiveUp(ClusterLife life, Session session, long roomId, bool wasAnnounced = true)
    {
        if (EndAttempt(session, roomId) && !session.FindRooms<ChatRoom>().Any(room => room.Id == roomId))
        {
            var member = new ClusterMember(session.User!.Id, session.Id, session.User.Name);
            life.Leaves.Add(new ClusterLeave(roomId, member) { MayReturn = true, WasAnnounced = wasAnnounced });
        }

        if (life.IsFenced)
        {
            life.FeedOf(roomId).Find(roomId)?.CloseIfUnused(); // it reads nothing any more that would end it
        }
    }

    /// <summary>Writes the membership to the directory and to the log, and waits until this node has read it. The caller of a reservation
    /// with a replica calls <see cref="NoteEntered"/> or <see cref="GiveUp"/>.</summary>
    /// <remarks>The hash is the one that the player's password belongs to; <see langword="null"/> when none was checked.</remarks>
    public async Task<Reservation> ReserveAsync(
        ClusterLife life, Session session, long roomId, string? openedHash, CancellationToken cancellationToken)
    {
        var member = new ClusterMember(session.User!.Id, session.Id, session.User.Name);
        bool isWritten = false;
        try
        {
            if (await FindAsync(roomId, cancellationToken) is not { } position)
            {
                return new Reservation(null, ErrorCode.RoomNotFound);
            }

            await life.Leaves.WaitAsync(roomId, member.UserId).WaitAsync(_settings.AnswerTimeout, _rooms.Time, cancellationToken);
            isWritten = true;
            lock (_attempts)
            {
                _attempts.Add((roomId, session.Id));
            }

            int capacity = RoomKind.Parse(position.Attributes).CapacityOf(_rooms.Limits.MaxMembers);
            if (await life.Directory.JoinAsync(roomId, member, capacity, cancellationToken) == JoinOutcome.Full)
            {
                EndAttempt(session, roomId);
                return new Reservation(null, ErrorCode.RoomFull, Capacity: capacity);
            }

            RoomMembership? stored = _rooms.RoomsLast
                ? await _store.FindMembershipAsync(roomId, member.UserId, cancellationToken)
                : null;

            while (await MakeReplicaAsync(life, position, cancellationToken) is { } room)
            {
                if (_rooms.RoomsLast
                    && await room.Room.CheckEntryAsync(member.UserId, openedHash, stored, cancellationToken) is { } refusal)
                {
                    GiveUp(life, session, roomId, wasAnnounced: false);
                    return new Reservation(null, ErrorCode.Forbidden, refusal, room.Room.Capacity);
                }

                if (await room.AnnounceAsync(session, cancellationToken))
                {
                    return new Reservation(room, ErrorCode.None);
                }

                if (!room.Room.IsRemoved)
                {
                    GiveUp(life, session, roomId);
                    return new Reservation(null, ErrorCode.Unavailable);
                }

                // The replica has lost its last member here, and makes way for another one.
                await Task.Delay(s_pause, _rooms.Time, cancellationToken);
            }

            GiveUp(life, session, roomId);
            return new Reservation(null, ErrorCode.ServerFull);
        }
        catch (Exception e) when (e is ClusterDirectoryException or StorageException)
        {
            ServerLog.ClusterDirectoryFailed(_rooms.Logger, e.Message);
            if (isWritten)
            {
                GiveUp(life, session, roomId);
            }

            return new Reservation(null, ErrorCode.StorageUnavailable);
        }
        catch (TimeoutException) // the leave before this join waits for directory or log
        {
            return new Reservation(null, ErrorCode.Unavailable);
        }
        catch (NodeFencedException)
        {
            life.FenceWithoutLease();
            if (isWritten)
            {
                EndAttempt(session, roomId);
            }

            return new Reservation(null, ErrorCode.Unavailable);
        }
        catch when (isWritten)
        {
            GiveUp(life, session, roomId); // the peer has gone, or a room has failed
            throw;
        }
    }

    /// <returns>Whether the session has no other one under way.</returns>
    private bool EndAttempt(Session session, long roomId)
    {
        lock (_attempts)
        {
            return _attempts.Remove((roomId, session.Id));
        }
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
            IReadOnlyList<RoomMembership> members = await _rooms.Archive.ReadMembersAsync(id, cancellationToken);
            LogOrder? MakeNew(long through, uint epoch, RoomEntry[] read) => Make(life, position, said, members, through, epoch, read);
            (LogOrder? made, bool isNew) = feed.GetOrAdd(id, MakeNew);
            while (made is null)
            {
                if (_server.Rooms.Find(id) is null)
                {
                    return null; // there are too many rooms
                }

                await Task.Delay(s_pause, _rooms.Time, cancellationToken); // a former replica is still ending
                (made, isNew) = feed.GetOrAdd(id, MakeNew);
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
        ClusterLife life,
        RoomPosition position,
        IReadOnlyList<ChatRecord> said,
        IReadOnlyList<RoomMembership> members,
        long through,
        uint epoch,
        RoomEntry[] read)
    {
        if (!_rooms.Quotas.TryTake())
        {
            return null;
        }

        var made = new LogOrder(_rooms, life, epoch);
        ChatRoom? room = _server.Rooms.Restore(
            position.RoomId,
            _rooms.SettingsOf(position.RoomName!),
            context => new ChatRoom(
                context, _rooms, made, position with { LastSequence = through, State = RoomState.Stopped }, said, members));
        if (room is null)
        {
            _rooms.Quotas.GiveBack(creatorId: 0); // the former replica is still ending
            return null;
        }

        foreach (RoomEntry earlier in read)
        {
            made.Note(earlier, isEarlier: true);
        }

        return made;
    }

    /// <summary>Removes a room that has no members in the cluster, as a single server does where rooms don't last.</summary>
    private async Task CloseIfEmptyAsync(ClusterLife life, long roomId)
    {
        if (_rooms.RoomsLast)
        {
            return;
        }

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
}
