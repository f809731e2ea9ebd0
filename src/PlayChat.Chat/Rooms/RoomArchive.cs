using System.Threading.Channels;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Chat.Sessions;

namespace PlayChat.Chat.Rooms;

/// <summary>
/// Keeps in the store which rooms there are. A room that was open when the server ended is open again once a player joins it.
/// Thread-safe.
/// </summary>
/// <remarks>
/// Rooms never wait for it: changes wait in a queue, and are dropped, counted and logged when the queue is full or the database fails. If
/// the store does not know the last sequence of a room, the room continues <see cref="SkippedSequences"/> higher, so that no sequence is
/// used twice.
/// </remarks>
internal sealed class RoomArchive : IAsyncDisposable
{
    /// <summary>
    /// A room skips so many sequences after a kill: more than a killed server can have used without the store knowing. The chat log's queue
    /// has at most 10,000,000 records, and joins use further sequences.
    /// </summary>
    public const long SkippedSequences = 100_000_000;

    /// <summary>Changes of rooms that may wait to be written.</summary>
    public const int MaxWaiting = 10_000;

    /// <summary>
    /// The last messages of a room whose client_message_id the room still knows after a restart. A client repeats what was not answered,
    /// which is the newest.
    /// </summary>
    public const int RememberedMessages = IChatStore.MaxReadLimit;

    private readonly PlayChatServer _server;
    private readonly IChatStore _store;
    private readonly ServerSettings _settings;
    private readonly RoomQuotas _quotas;
    private readonly ShutdownState _shutdown;
    private readonly ILogger _logger;
    private readonly object _gate = new();
    private readonly SortedDictionary<long, RoomPosition> _asleep = []; // open in an earlier run, not joined yet; guarded by _gate
    private readonly Dictionary<long, ChatRoom> _awake = []; // guarded by _gate
    private readonly Channel<Func<Task>> _writes = Channel.CreateBounded<Func<Task>>(
        new BoundedChannelOptions(MaxWaiting) { SingleReader = true });
    private readonly Task _writing;
    private int _leftOut; // changes, since that was logged last
    private long _everLeftOut;
    private volatile bool _isStopping;
    private volatile bool _isGivingUp; // nothing more is written

    public RoomArchive(
        PlayChatServer server, IChatStore store, ServerSettings settings, RoomQuotas quotas, ShutdownState shutdown,
        TimeProvider time, ILogger<RoomArchive> logger)
    {
        _server = server;
        _store = store;
        _settings = settings;
        Names = new RoomNames(settings);
        _quotas = quotas;
        _shutdown = shutdown;
        _logger = logger;
        Memberships = new MembershipWrites(store, settings, Write, time);
        _writing = Task.Run(WriteAsync);
    }

    /// <summary>What the store is told of members.</summary>
    public MembershipWrites Memberships { get; }

    /// <summary>How many changes were left out since the start.</summary>
    public long LeftOut => Interlocked.Read(ref _everLeftOut);

    /// <summary>The names of all rooms that last.</summary>
    public RoomNames Names { get; }

    /// <summary>Finds the rooms that were open in an earlier run. Before the server listens.</summary>
    /// <param name="most">How many are remembered; the newest ones.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="StorageException">The database failed.</exception>
    public async Task LoadAsync(int most, CancellationToken cancellationToken)
    {
        IReadOnlyList<RoomPosition> page;
        long after = 0;
        do
        {
            page = await _store.GetRoomPositionsAsync(after, cancellationToken: cancellationToken);
            foreach (RoomPosition room in page)
            {
                after = room.RoomId;
                if (room is { State: not RoomState.Removed, RoomName: not null })
                {
                    _asleep[room.RoomId] = room;
                }
            }
        }
        while (page.Count == IChatStore.MaxReadLimit);

        foreach (long id in _asleep.Keys.OrderDescending().Skip(most).ToArray())
        {
            _asleep.Remove(id);
        }

        if (_settings.RoomsLast)
        {
            foreach (RoomPosition room in _asleep.Values)
            {
                Names.Set(room.RoomName!, room.RoomId);
                _quotas.Take(CreatorOf(room));
            }
        }
    }

    /// <summary>Lists rooms that last and are not joined yet, by their ids.</summary>
    public IReadOnlyList<(RoomPosition Room, RoomKind Kind)> ListAsleep(CListRoomsReq query, int limit)
    {
        lock (_gate)
        {
            return !_settings.RoomsLast ? []
                : [.. _asleep.Values.Where(room => room.RoomId > query.AfterRoomId)
                    .Select(static room => (room, RoomKind.Parse(room.Attributes)))
                    .Where(room => room.Item2.Matches(query))
                    .Take(limit)];
        }
    }

    /// <summary>Removes a room that no player has joined since the start.</summary>
    /// <returns><see langword="false"/> when there is no such room.</returns>
    public bool TryRemoveAsleep(long id)
    {
        RoomPosition? room;
        lock (_gate)
        {
            if (!_asleep.Remove(id, out room))
            {
                return false;
            }
        }

        Names.GiveBack(room.RoomName!, id);
        if (_settings.RoomsLast)
        {
            _quotas.GiveBack(CreatorOf(room));
        }

        Write(() => _store.SetRoomStateAsync(id, RoomState.Removed, room.LastSequence));
        Memberships.Remove(id, playerId: 0);
        return true;
    }

    /// <summary>Removes a room that lasts and that has no members on any node of the cluster.</summary>
    /// <returns><see langword="false"/> when there is no such room.</returns>
    /// <exception cref="StorageException">The database failed.</exception>
    public async Task<bool> TryRemoveSharedAsync(long id, CancellationToken cancellationToken)
    {
        if (!_settings.Cluster.IsOn || !_settings.RoomsLast
            || await _store.GetRoomPositionAsync(id, cancellationToken) is not { State: not RoomState.Removed, RoomName: not null })
        {
            return false;
        }

        long leftOut = LeftOut;
        RemoveShared(id, latest: 0);
        await Memberships.WrittenAsync(cancellationToken);
        return LeftOut == leftOut
            ? true
            : throw new StorageException(StorageErrorKind.Unavailable, $"The database did not take that room {id} is removed. Try again.");
    }

    /// <summary>A moderator has removed a room of the cluster.</summary>
    public void RemoveShared(long id, long latest)
    {
        Write(() => _store.SetRoomStateAsync(id, RoomState.Removed, latest));
        Write(() => _store.ReleaseRoomAsync(id));
        Memberships.Remove(id, playerId: 0);
    }

    /// <summary>A new room is open.</summary>
    public void Add(ChatRoom room, DateTimeOffset createdAt)
    {
        lock (_gate)
        {
            _awake[room.Id] = room;
        }

        Names.Set(room.Name, room.Id);
        Write(() => _store.SaveRoomAsync(room.Id, room.Name, createdAt, room.Kind.ToAttributes()));
    }

    /// <summary>The attributes of a room have changed.</summary>
    public void SaveKind(ChatRoom room, DateTimeOffset now)
    {
        string? attributes = room.Kind.ToAttributes();
        Write(() => _store.SaveRoomAsync(room.Id, room.Name, now, attributes));
    }

    /// <summary>Wakes a room of an earlier run.</summary>
    /// <returns>
    /// <see langword="null"/> when there was none, or the server has all the rooms that it takes. A room that was removed before the caller
    /// joins it may be asleep again: then ask again.
    /// </returns>
    /// <exception cref="StorageException">The database failed.</exception>
    public async ValueTask<ChatRoom?> WakeAsync(long id, ChatRoomServices rooms, CancellationToken cancellationToken)
    {
        RoomPosition? position;
        lock (_gate)
        {
            if (!_asleep.TryGetValue(id, out position))
            {
                return _server.Rooms.Find(id) as ChatRoom; // another request may have woken it since the caller has looked
            }
        }

        // Before it says anything: after a kill the next run must know that it had.
        await _store.SetRoomStateAsync(id, RoomState.Open, position.LastSequence, cancellationToken);
        IReadOnlyList<ChatRecord> said = await _store.ReadChatBeforeAsync(id, long.MaxValue, RememberedMessages, cancellationToken);
        IReadOnlyList<RoomMembership> members = await ReadMembersAsync(id, cancellationToken);
        lock (_gate)
        {
            if (!_asleep.ContainsKey(id))
            {
                return _server.Rooms.Find(id) as ChatRoom; // another request has woken it meanwhile
            }

            if (!_settings.RoomsLast) // otherwise it is counted since the start
            {
                if (!_quotas.TryTake())
                {
                    return null;
                }

                _quotas.TakeOf(CreatorOf(position));
            }

            _asleep.Remove(id);
            ChatRoom room = _server.Rooms.Restore(
                id, rooms.SettingsOf(position.RoomName!), made => new ChatRoom(made, rooms, rooms.CreateOrder(), position, said, members))!;
            _awake[id] = room;
            return room;
        }
    }

    /// <summary>Waits until the store has had the changes so far.</summary>
    /// <param name="leftOut">What <see cref="LeftOut"/> was before them.</param>
    /// <returns><see langword="false"/> when a change was left out since, one of these or another, or a stop gives all up.</returns>
    public async Task<bool> WrittenAsync(long leftOut)
    {
        await Task.WhenAny(Memberships.WrittenAsync(CancellationToken.None), _writing); // a stop that gives up leaves it out, and ends
        return LeftOut == leftOut;
    }

    /// <summary>Removes a room that has no members: for good, or until a player joins it again if no member has entered since it
    /// woke.</summary>
    public void Remove(ChatRoom room, Action unregister)
    {
        lock (_gate)
        {
            // Under the lock: otherwise WakeAsync finds the room neither in the registry nor asleep, and a join fails with ROOM_NOT_FOUND.
            unregister();
            if (room.IsUntouched && room.Earlier is { } earlier)
            {
                _awake.Remove(room.Id);
                _asleep[room.Id] = earlier; // the player for whom it was woken did not enter
                if (_settings.RoomsLast)
                {
                    _quotas.Take(CreatorOf(earlier)); // it stays counted, and the room gives back what it had
                }

                return;
            }

            Names.GiveBack(room.Name, room.Id);
            if (_shutdown.IsStopping || !_awake.Remove(room.Id))
            {
                return;
            }
        }

        long latest = room.LatestSequence;
        Write(() => _store.SetRoomStateAsync(room.Id, RoomState.Removed, latest));
        Memberships.Remove(room.Id, playerId: 0);
    }

    /// <summary>Notes how far the rooms had come, when all that was said in them is stored.</summary>
    /// <remarks>It ends when the database fails; the log says how many rooms are left out.</remarks>
    /// <param name="isWhole">Whether all is stored. Otherwise the rooms continue as after a kill, and their history says where messages may
    /// be missing.</param>
    /// <param name="cancellationToken">Skips the rest, including a change that the database does not answer: those rooms continue with a
    /// gap.</param>
    /// <returns>Whether the database has every change.</returns>
    public async Task<bool> StopAsync(bool isWhole, CancellationToken cancellationToken)
    {
        Memberships.Flush();
        await CompleteAsync().WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _isGivingUp |= cancellationToken.IsCancellationRequested;
        ChatRoom[] open;
        lock (_gate)
        {
            open = [.. _awake.Values];
            _awake.Clear();
        }

        // One by one and not through the queue, which has not the space for all.
        foreach (ChatRoom room in isWhole ? open : [])
        {
            await TryAsync(() =>
            {
                cancellationToken.ThrowIfCancellationRequested();
                return _store.SetRoomStateAsync(room.Id, RoomState.Stopped, room.LatestSequence, cancellationToken)
                    .WaitAsync(cancellationToken);
            });
        }

        return LogLeftOut() == 0 && _writing.IsCompleted;
    }

    /// <summary>Waits for the changes that are not written yet, unless a stop has given them up.</summary>
    public async ValueTask DisposeAsync()
    {
        Memberships.Dispose();
        Task writing = CompleteAsync();
        if (!_isGivingUp)
        {
            await writing;
        }
    }

    /// <summary>Reads what the store has of a room of the cluster.</summary>
    /// <exception cref="StorageException">The database failed.</exception>
    public async Task<(RoomKind Kind, IReadOnlyList<RoomMembership> Members)> ReadSharedAsync(long id)
    {
        RoomPosition? position = await _store.GetRoomPositionAsync(id);
        return (RoomKind.Parse(position?.Attributes), await ReadMembersAsync(id, CancellationToken.None));
    }

    /// <summary>Reads what the store has of a room's players; nothing where rooms don't last.</summary>
    /// <exception cref="StorageException">The database failed.</exception>
    public async Task<IReadOnlyList<RoomMembership>> ReadMembersAsync(long roomId, CancellationToken cancellationToken)
    {
        List<RoomMembership> members = [];
        if (_settings.RoomsLast)
        {
            Memberships.Flush(roomId);
            await Memberships.WrittenAsync(cancellationToken);
            IReadOnlyList<RoomMembership> page;
            do
            {
                page = await _store.ListMembershipsAsync(
                    roomId, members.Count == 0 ? 0 : members[^1].PlayerId, cancellationToken: cancellationToken);
                members.AddRange(page);
            }
            while (page.Count == IChatStore.MaxReadLimit);
        }

        return members;
    }

    private static long CreatorOf(RoomPosition room) => RoomKind.Parse(room.Attributes).CreatorId;

    private Task CompleteAsync()
    {
        _isStopping = true;
        _writes.Writer.TryComplete();
        return _writing;
    }

    /// <returns><see langword="false"/> when the change is left out.</returns>
    private bool Write(Func<Task> write)
    {
        bool isQueued = _writes.Writer.TryWrite(write);
        if (!isQueued)
        {
            LeaveOut("Too many changes wait to be written.");
        }

        return isQueued;
    }

    private async Task WriteAsync()
    {
        await foreach (Func<Task> write in _writes.Reader.ReadAllAsync())
        {
            if (await TryAsync(write) && _writes.Reader.Count == 0)
            {
                LogLeftOut(); // not before: a queue that was full may be so again at once
            }
        }

        LogLeftOut();
    }

    /// <returns>Whether it is written.</returns>
    private async Task<bool> TryAsync(Func<Task> write)
    {
        if (_isGivingUp)
        {
            CountLeftOut();
            return false;
        }

        try
        {
            await write();
            return true;
        }
        catch (Exception e)
        {
            // Any exception: this write is skipped and leaves a gap; the next may succeed. A stop does not wait for a lost database.
            _isGivingUp |= _isStopping;
            LeaveOut(e.Message);
            return false;
        }
    }

    /// <summary>Counts something that is not written; the first says why.</summary>
    private void LeaveOut(string problem)
    {
        if (CountLeftOut() == 1)
        {
            ServerLog.RoomNotSaved(_logger, problem);
        }
    }

    private int CountLeftOut()
    {
        Interlocked.Increment(ref _everLeftOut);
        return Interlocked.Increment(ref _leftOut);
    }

    /// <returns>How many changes were left out since the last call.</returns>
    private int LogLeftOut()
    {
        int changes = Interlocked.Exchange(ref _leftOut, 0);
        if (changes > 0)
        {
            ServerLog.RoomsNotSaved(_logger, changes);
        }

        return changes;
    }
}
