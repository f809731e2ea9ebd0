using System.Collections.Concurrent;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Core.Rooms;

/// <summary>The rooms of a server, by id. Thread-safe.</summary>
public sealed class RoomRegistry
{
    private readonly ConcurrentDictionary<long, Room> _rooms = new();
    private readonly ConcurrentDictionary<Room, bool> _ending = new(); // removed, and their last turn has not flushed yet
    private readonly RoomDirectory _directory = new();
    private readonly RoomServices _services;
    private long _lastId;

    internal RoomRegistry(RoomServices services)
    {
        _services = services;
    }

    /// <summary>How many there are.</summary>
    public int Count => _rooms.Count;

    /// <summary>All of them, as of a moment ago, in no particular order.</summary>
    public IEnumerable<Room> All => _rooms.Select(static entry => entry.Value);

    /// <summary>Looks one up.</summary>
    public Room? Find(long id) => _rooms.GetValueOrDefault(id);

    /// <summary>Makes and registers a room with the next id; ids start at 1 and are not used again.</summary>
    /// <param name="name">What it is called.</param>
    /// <param name="make">Makes it with the context it is given.</param>
    public TRoom Create<TRoom>(string name, Func<RoomContext, TRoom> make)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(name);
        return Create(new RoomSettings { Name = name }, make);
    }

    /// <summary>Makes and registers a room with the next id; ids start at 1 and are not used again.</summary>
    /// <param name="settings">How it begins.</param>
    /// <param name="make">Makes it with the context it is given.</param>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is below 1.</exception>
    public TRoom Create<TRoom>(RoomSettings settings, Func<RoomContext, TRoom> make)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(make);
        ArgumentOutOfRangeException.ThrowIfLessThan(settings.Capacity, 1, nameof(settings));
        TRoom room = make(new RoomContext(Interlocked.Increment(ref _lastId), settings, _services, this));
        _rooms[room.Id] = room;
        Begin(room);
        return room;
    }

    /// <summary>
    /// Lists rooms that are not private, by rising id. A page costs its own length and that of what its filter leaves out, not that of all rooms.
    /// </summary>
    public RoomPage List(RoomQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return _directory.List(query, this);
    }

    /// <summary>Makes and registers a room of an earlier run, with the id and the name that it had.</summary>
    /// <param name="id">Its id: not above the one given to <see cref="ContinueAfter"/>, or a new room could get it.</param>
    /// <param name="name">What it is called.</param>
    /// <param name="make">Makes it with the context it is given; called without effect when another caller was quicker.</param>
    /// <returns><see langword="null"/> when a room with this id is there.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The id is below 1, or a new room could get it.</exception>
    public TRoom? Restore<TRoom>(long id, string name, Func<RoomContext, TRoom> make)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(make);
        ArgumentOutOfRangeException.ThrowIfLessThan(id, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(id, Volatile.Read(ref _lastId));
        TRoom room = make(new RoomContext(id, new RoomSettings { Name = name }, _services, this));
        if (!_rooms.TryAdd(id, room))
        {
            return null;
        }

        Begin(room);
        return room;
    }

    /// <summary>Lets the ids go on behind one that was used in an earlier run, so that a stored log never meets a second room with its id.</summary>
    /// <param name="lastId">The highest id used so far. A lower one than is in use changes nothing.</param>
    public void ContinueAfter(long lastId)
    {
        long current = Volatile.Read(ref _lastId);
        while (lastId > current)
        {
            long seen = Interlocked.CompareExchange(ref _lastId, lastId, current);
            if (seen == current)
            {
                return;
            }

            current = seen;
        }
    }

    /// <summary>Completes when every room has run what was queued before, and has flushed it; one that was removed has then come to its end.</summary>
    /// <remarks>
    /// Sessions that had ended have then left their rooms, and timers that had come due have run: of a room's timers that are due at once the first <see cref="RoomOptions.MaxItemsPerTurn"/>, and
    /// only those that the clock had woken the room for.
    /// </remarks>
    /// <param name="cancellationToken">Stops waiting, and nothing else.</param>
    public async Task DrainAsync(CancellationToken cancellationToken = default)
    {
        foreach (Room room in All)
        {
            await room.DrainAsync(cancellationToken).ConfigureAwait(false);
        }

        foreach (KeyValuePair<Room, bool> entry in _ending)
        {
            await entry.Key.DrainAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Removes every room; completes when all have ended, those that were removed before as well.</summary>
    internal Task EndAsync(CancellationToken cancellationToken)
    {
        Room[] present = [.. All]; // first: one that is removed meanwhile is then among the ending ones
        return Task.WhenAll(present.Union(_ending.Select(static entry => entry.Key)).Select(room => room.EndAsync(cancellationToken)));
    }

    /// <summary>A removed room has come to its end.</summary>
    internal void OnEnded(Room room) => _ending.TryRemove(room, out _);

    internal void Remove(Room room)
    {
        _ending[room] = true;
        if (_rooms.TryRemove(new KeyValuePair<long, Room>(room.Id, room)))
        {
            SetListed(room.Id);
            _services.Metrics.Add(Counter.RoomsRemoved);
            RoomLog.Removed(_services.Logger, room.Id, room.Name);
        }
    }

    /// <summary>Lists the room with this id, or no longer, as it is now.</summary>
    internal void SetListed(long id) => _directory.Set(id, this);

    private void Begin(Room room)
    {
        _services.Metrics.Add(Counter.RoomsCreated);
        RoomLog.Created(_services.Logger, room.Id, room.Name);
        SetListed(room.Id);
        room.Start();
    }
}
