using System.Collections.Concurrent;
using PlayChat.Core.Connections;
using PlayChat.Core.Hosting;

namespace PlayChat.Persistence;

/// <summary>The part of a server that saves rooms and continues them.</summary>
/// <remarks>Invariant: a name is in <c>_waiting</c> until its room is made, and then in <c>_roles</c> until the room has ended.
/// Thread-safe.</remarks>
internal sealed class RoomPersistence : IRoomPersistence, IServerPart
{
    private readonly IRoomStore _store;
    private readonly RunningServer _server;
    private readonly ConnectionServices _former;
    private readonly ConcurrentDictionary<string, PersistentRole> _roles = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, RoomImage> _waiting = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, Room> _unclaimed = new(StringComparer.Ordinal); // made at the start
    private readonly ConcurrentQueue<string> _ended = new(); // since a stop was asked for
    private readonly object _sessionGate = new();
    private readonly Dictionary<string, string> _damaged = new(StringComparer.Ordinal); // name → problem; complete after the start

    internal RoomPersistence(IRoomStore store, RoomPersistenceOptions options, RunningServer server)
    {
        _store = store;
        _server = server;
        Options = options;
        Writer = new RoomWriter(store, server.Time, server.Logger);
        _former = server.CreateStandIns(server.ConnectionServices.Format);
        server.RoomServices.Persistence = this;
    }

    internal RoomPersistenceOptions Options { get; }

    internal RoomWriter Writer { get; }

    internal TimeProvider Time => _server.Time;

    internal ILogger Logger => _server.Logger;

    internal bool IsStopping => _server.StopAsked.IsCancellationRequested;

    /// <summary>Reads the store, and makes the rooms whose types are known.</summary>
    /// <exception cref="InvalidDataException">A room was saved by a newer version.</exception>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        foreach (SavedRoom saved in await _store.LoadAsync(cancellationToken).ConfigureAwait(false))
        {
            try
            {
                _waiting[saved.Name] = RoomImage.Read(saved);
            }
            catch (InvalidDataException e) when (saved.Data.Span is [<= RoomImage.Version, ..] or [])
            {
                _damaged[saved.Name] = e.Message;
                PersistenceLog.RoomLeftOut(Logger, e.Message);
            }
        }

        _server.Rooms.ContinueAfter(_waiting.Values.Select(static image => image.Id).DefaultIfEmpty().Max());
        foreach (RoomImage image in _waiting.Values)
        {
            if (Options.FindKind(image.Kind) is { } make)
            {
                Room room = make(_server.Rooms, image.Settings);
                _unclaimed[room.Name] = room;
                if (!_roles.ContainsKey(room.Name))
                {
                    _unclaimed.TryRemove(room.Name, out _); // it has ended in its first turn, perhaps before it was added
                }
            }
            else
            {
                PersistenceLog.RoomWaits(Logger, image.Settings.Name, image.Kind);
            }
        }
    }

    /// <summary>Saves all rooms for the last time.</summary>
    public async Task HandOverAsync(CancellationToken cancellationToken)
    {
        await Task.WhenAll(_roles.Values.Select(role => role.HandOverAsync(cancellationToken))).ConfigureAwait(false);
        while (_ended.TryDequeue(out string? name))
        {
            Writer.Remove(name); // by its own decision: nobody has ended the rooms of the server yet
        }

        await Writer.CompleteAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Lets nothing be written any more, also when the server had no time to hand over.</summary>
    public ValueTask DisposeAsync() => Writer.DisposeAsync();

    public bool TryClaim(string name, [MaybeNullWhen(false)] out Room room) => _unclaimed.TryRemove(name, out room);

    public RoomSettings Begin(RoomSettings settings, Type type, Func<long> nextId, out long id, out RoomRole role)
    {
        string name = settings.Name;
        if (_damaged.TryGetValue(name, out string? problem))
        {
            throw new InvalidOperationException(problem);
        }

        _waiting.TryGetValue(name, out RoomImage? image);
        var made = new PersistentRole(this, name, Options.KindOf(type), image);
        if (!_roles.TryAdd(name, made))
        {
            throw new InvalidOperationException($"The server has a room named '{name}' already that survives a restart.");
        }

        _waiting.TryRemove(name, out _);
        id = image?.Id ?? nextId();
        role = made;
        return image is null ? settings : Merge(settings, image.Settings);
    }

    public void Forget(RoomRole role)
    {
        var made = (PersistentRole)role;
        _roles.TryRemove(new(made.Name, made));
        if (made.Image is { } image)
        {
            _waiting[made.Name] = image;
        }
    }

    /// <summary>A room has ended.</summary>
    /// <param name="role">Its role.</param>
    /// <param name="isOver">Whether it does not continue after a restart.</param>
    internal void OnEnded(PersistentRole role, bool isOver)
    {
        if (isOver && IsStopping)
        {
            _ended.Enqueue(role.Name); // perhaps because the server stops in a hurry, and then it continues
        }
        else if (isOver)
        {
            Writer.Remove(role.Name);
        }

        // After the removal, or it would take the first save of the next room with this name.
        _roles.TryRemove(new(role.Name, role));
        _unclaimed.TryRemove(role.Name, out _);
    }

    /// <summary>The session of a user that was a member: the one that is here, or a new one that is away.</summary>
    /// <returns><see langword="null"/> if sessions do not resume here, or too many are away.</returns>
    internal Session? SessionOf(SessionUser user)
    {
        lock (_sessionGate) // two rooms may have the same member
        {
            if (_server.Sessions.FindUser(user.Name) is { } present)
            {
                return present.User?.Id == user.Id ? present : null;
            }

            var connection = new Connection(new EndedLink(), _former);
            connection.Abort(CloseReason.TransportFault);
            return _server.Sessions.BeginAway(user, connection);
        }
    }

    /// <summary>What a running room may change is the saved room's, the rest the application's.</summary>
    private static RoomSettings Merge(RoomSettings asked, RoomSettings saved) => new()
    {
        Name = asked.Name,
        Capacity = asked.Capacity,
        SpectatorCapacity = asked.SpectatorCapacity,
        RemoveWhenEmpty = asked.RemoveWhenEmpty,
        IsPersistent = true,
        IsPrivate = saved.IsPrivate,
        IsLocked = saved.IsLocked,
        OwnerId = saved.OwnerId,
        PasswordHash = saved.PasswordHash,
        Properties = saved.Properties,
    };
}
