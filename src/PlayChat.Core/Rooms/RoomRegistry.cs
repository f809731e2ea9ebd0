using Microsoft.Extensions.DependencyInjection;

namespace PlayChat.Core.Rooms;

/// <summary>The rooms of a server, by id and by name. Thread-safe.</summary>
public sealed class RoomRegistry
{
    private readonly ConcurrentDictionary<long, Room> _rooms = new();
    private readonly ConcurrentDictionary<Room, bool> _ending = new(); // removed rooms whose last turn has not been flushed
    private readonly RoomDirectory _directory = new();
    private readonly RoomNames _names = new();
    private readonly RoomServices _services;
    private long _lastId;

    internal RoomRegistry(RoomServices services)
    {
        _services = services;
    }

    /// <summary>The number of rooms.</summary>
    public int Count => _rooms.Count;

    /// <summary>All rooms in no particular order; slightly out of date.</summary>
    public IEnumerable<Room> All => _rooms.Select(static entry => entry.Value);

    private IEnumerable<Room> Ending => _ending.Select(static entry => entry.Key);

    /// <summary>Returns the room with an id, or <see langword="null"/>.</summary>
    public Room? Find(long id) => _rooms.GetValueOrDefault(id);

    /// <summary>
    /// Returns the room with a name, compared letter for letter; <see langword="null"/> if there is none of the type. Of several, it is the
    /// first created.
    /// </summary>
    /// <remarks>A look-up takes a lock for a short time. For each message of a member, use <see cref="RoomExtensions.FindRoom"/>.</remarks>
    public TRoom? Find<TRoom>(string name)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(name);
        return _names.Find<TRoom>(name, this);
    }

    /// <summary>Returns the room with a name, for rooms that always exist; see <see cref="Find{TRoom}"/>.</summary>
    /// <exception cref="InvalidOperationException">There is no room of the type with this name.</exception>
    public TRoom Get<TRoom>(string name)
        where TRoom : Room =>
        Find<TRoom>(name) ?? throw new InvalidOperationException(
            $"There is no {typeof(TRoom).Name} named '{name}'. Create it before, for example with AddRoom, or use Find.");

    /// <summary>Creates and registers a room with the next id. Ids start at 1 and are not used again.</summary>
    /// <param name="name">The room's name.</param>
    /// <param name="make">
    /// Creates the room with the context that it gets. By default the room's constructor gets the <see cref="RoomContext"/> and, for its
    /// other parameters, the server's services.
    /// </param>
    /// <exception cref="InvalidOperationException">
    /// There is no <paramref name="make"/>, and a service is missing or the class has no suitable public constructor.
    /// </exception>
    public TRoom Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TRoom>(
        string name, Func<RoomContext, TRoom>? make = null)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(name);
        return Create(new RoomSettings { Name = name }, make);
    }

    /// <inheritdoc cref="Create{TRoom}(string, Func{RoomContext, TRoom}?)"/>
    /// <param name="settings">The settings with which the room begins.</param>
    /// <param name="make">
    /// Creates the room with the context that it gets. By default the room's constructor gets the <see cref="RoomContext"/> and, for its
    /// other parameters, the server's services.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is below 1, or the one for spectators below 0.</exception>
    /// <exception cref="InvalidOperationException">
    /// A service is missing, or the class has no suitable public constructor. Of a room of a cluster: the server has no cluster, there is a
    /// room of the cluster with this name, or the argument of the room's joins is no packet. Of a room that survives a restart: the server
    /// has no store for it, there is such a room with this name, or the argument of the room's joins is no packet.
    /// </exception>
    public TRoom Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TRoom>(
        RoomSettings settings, Func<RoomContext, TRoom>? make = null)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentOutOfRangeException.ThrowIfLessThan(settings.Capacity, 1, nameof(settings));
        ArgumentOutOfRangeException.ThrowIfNegative(settings.SpectatorCapacity, nameof(settings));
        if (settings.IsClustered)
        {
            return Share(settings, make);
        }

        return settings.IsPersistent ? Keep(settings, make) : Add(new RoomContext(NextId(), settings, _services, this), make);
    }

    /// <summary>
    /// Lists rooms that are not private, by rising id. The cost grows with the length of the page and the rooms that the filter leaves
    /// out, not with the number of all rooms.
    /// </summary>
    /// <param name="query">The filter, and where the page starts.</param>
    /// <param name="hasMore">Whether more matching rooms follow; <see cref="RoomQuery.AfterId"/> gets them.</param>
    public IReadOnlyList<RoomDescription> List(RoomQuery query, out bool hasMore)
    {
        ArgumentNullException.ThrowIfNull(query);
        return _directory.List(query, this, out hasMore);
    }

    /// <summary>Creates and registers a room of an earlier run, with the id that it had.</summary>
    /// <param name="id">The room's id: at most the one given to <see cref="ContinueAfter"/>, so that no new room gets it.</param>
    /// <param name="settings">The settings with which the room begins; neither clustered nor persistent.</param>
    /// <param name="make">
    /// Creates the room with the context that it gets. The result is dropped if another thread restored the room at the same time.
    /// </param>
    /// <returns>The room; <see langword="null"/> if a room with this id exists.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The id is below 1, or a new room could get it.</exception>
    public TRoom? Restore<TRoom>(long id, RoomSettings settings, Func<RoomContext, TRoom> make)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(make);
        ArgumentOutOfRangeException.ThrowIfLessThan(id, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(id, Volatile.Read(ref _lastId));
        TRoom room = make(new RoomContext(id, settings, _services, this));
        if (!_rooms.TryAdd(id, room))
        {
            return null;
        }

        Begin(room);
        return room;
    }

    /// <summary>Continues the ids after those of an earlier run, so that no two rooms in a stored log have the same id.</summary>
    /// <param name="lastId">The highest id of the earlier run. It changes nothing if ids above it are in use.</param>
    public void ContinueAfter(long lastId) => InterlockedMaximum.Raise(ref _lastId, lastId);

    /// <summary>
    /// Completes when every room has run and flushed what was queued before the call. Rooms that were removed before have then ended.
    /// </summary>
    /// <remarks>
    /// Sessions that had ended have then left their rooms, and timers that were due have run: at most the first
    /// <see cref="RoomOptions.MaxItemsPerTurn"/> of a room, and only those for which the clock had woken the room.
    /// </remarks>
    /// <param name="cancellationToken">Stops only the wait.</param>
    public async Task DrainAsync(CancellationToken cancellationToken = default)
    {
        foreach (Room room in All.Concat(Ending))
        {
            await room.DrainAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Removes every room; completes when all have ended, including those that were removed before.</summary>
    internal Task EndAsync(CancellationToken cancellationToken)
    {
        Room[] present = [.. All]; // read first: a room that is removed meanwhile is then in _ending
        return Task.WhenAll(present.Union(Ending).Select(room => room.EndAsync(cancellationToken)));
    }

    /// <summary>Registers a room that repeats a recording. Its turns are those of the recording.</summary>
    internal TRoom Repeat<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TRoom>(
        Func<RoomServices, RoomContext> context, Func<RoomContext, TRoom>? make)
        where TRoom : Room
    {
        TRoom room = Make(context(_services), make);
        room.Turn.Scheduler.Hold();
        _rooms[room.Id] = room;
        _names.Set(room, this);
        return room;
    }

    /// <summary>Ends the use of a room that repeats a recording: it has no turn in which it could end.</summary>
    internal void Forget(Room room)
    {
        _rooms.TryRemove(new KeyValuePair<long, Room>(room.Id, room));
        _ending.TryRemove(room, out _);
        _names.Set(room, this);
    }

    internal void OnEnded(Room room) => _ending.TryRemove(room, out _);

    internal void Remove(Room room)
    {
        _ending[room] = true;
        if (_rooms.TryRemove(new KeyValuePair<long, Room>(room.Id, room)))
        {
            SetListed(room.Id);
            _names.Set(room, this);
            _services.Metrics.Add(Counter.RoomsRemoved);
            RoomLog.Removed(_services.Logger, room.Id, room.Name);
        }
    }

    /// <summary>Updates whether the room with this id is listed.</summary>
    internal void SetListed(long id) => _directory.Set(id, this);

    private static TRoom Make<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TRoom>(
        RoomContext context, Func<RoomContext, TRoom>? make)
        where TRoom : Room =>
        make is null ? ActivatorUtilities.CreateInstance<TRoom>(context.Services, context) : make(context);

    /// <summary>Creates this node's replica of a room that a cluster shares.</summary>
    private TRoom Share<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TRoom>(
        RoomSettings settings, Func<RoomContext, TRoom>? make)
        where TRoom : Room
    {
        IRoomCluster cluster = _services.Cluster ?? throw new InvalidOperationException(
            $"The room '{settings.Name}' is to be shared by a cluster, but the server has none: call UseRoomCluster before the start.");
        long id = cluster.IdOf(settings.Name);
        RoomRole replica = cluster.CreateReplica(
            id, settings.Node, owned => Make(new RoomContext(id, settings, _services, this) { Role = owned }, make));
        TRoom room = Make(new RoomContext(id, settings, _services, this) { Role = replica }, make);
        room.CheckArgument("be shared by a cluster");
        if (!_rooms.TryAdd(id, room))
        {
            throw new InvalidOperationException($"The server has a room of the cluster named '{settings.Name}' already.");
        }

        Begin(room);
        return room;
    }

    /// <summary>Creates a room that survives a restart, or continues it.</summary>
    private TRoom Keep<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TRoom>(
        RoomSettings settings, Func<RoomContext, TRoom>? make)
        where TRoom : Room
    {
        if (_services.Persistence is not { } persistence)
        {
            throw new InvalidOperationException(
                $"The room '{settings.Name}' is to survive a restart, but nothing saves it: call UseRoomStore before the start.");
        }

        // A room that was continued at the start is the application's from its first Create on.
        if (persistence.TryClaim(settings.Name, out Room? present))
        {
            return present as TRoom ?? throw new InvalidOperationException(
                $"The room '{settings.Name}' was saved as a {present.GetType().Name}, and is asked for as a {typeof(TRoom).Name}.");
        }

        RoomSettings saved = persistence.Begin(settings, typeof(TRoom), NextId, out long id, out RoomRole role);
        try
        {
            return Add(new RoomContext(id, saved, _services, this) { Role = role }, make);
        }
        catch
        {
            persistence.Forget(role);
            throw;
        }
    }

    private long NextId() => Interlocked.Increment(ref _lastId);

    private TRoom Add<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TRoom>(
        RoomContext context, Func<RoomContext, TRoom>? make)
        where TRoom : Room
    {
        TRoom room = Make(context, make);
        if (room.Role is not null)
        {
            room.CheckArgument("survive a restart");
        }

        _rooms[room.Id] = room;
        Begin(room);
        return room;
    }

    private void Begin(Room room)
    {
        _services.Metrics.Add(Counter.RoomsCreated);
        RoomLog.Created(_services.Logger, room.Id, room.Name);
        SetListed(room.Id);
        _names.Set(room, this);
        _services.Record?.Invoke(room);
        room.Start();
    }
}
