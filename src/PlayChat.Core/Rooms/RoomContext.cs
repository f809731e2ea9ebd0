namespace PlayChat.Core.Rooms;

/// <summary>The context with which a registry creates a room. Pass it to the base constructor.</summary>
public sealed class RoomContext
{
    private RoomTime? _time;
    private Random? _random;

    internal RoomContext(long id, RoomSettings settings, RoomServices services, RoomRegistry registry)
    {
        Id = id;
        Settings = settings;
        Shared = services;
        Rooms = registry;
    }

    /// <summary>
    /// The services that the server was given (<c>AddPlayChat</c>, <c>UseServices</c>); empty if there are none. A room takes singleton and
    /// transient services from it, which live as long as the server.
    /// </summary>
    public IServiceProvider Services => Shared.Provider;

    /// <summary>The rooms of the server, for a room that finds or creates others. Thread-safe.</summary>
    public RoomRegistry Rooms { get; }

    /// <summary>The server's clock, for a room that measures time (<c>UseTime</c>).</summary>
    public TimeProvider Time => RecordedTime ?? Shared.Time;

    /// <summary>What the room continues, if it was saved before the server's restart; <see langword="null"/> for a new room.</summary>
    public RestoredRoom? Restored => Role?.Restored;

    /// <summary>
    /// The random numbers of this room, from the server's seed if it has one (<c>UseSeed</c>). Use them instead of numbers of your own, so
    /// that a test can repeat what the room does. Only in the room's constructor and turn.
    /// </summary>
    public Random Random => _random ??= MayBeRecorded ? new RoomRandom(OwnSeed ?? Random.Shared.Next())
        : OwnSeed is { } seed ? new Random(seed)
        : new Random();

    /// <summary>The clock of a room that may be recorded; <see langword="null"/> if nothing records rooms of the server.</summary>
    internal RoomTime? RecordedTime => !MayBeRecorded ? null
        : LazyInitializer.EnsureInitialized(ref _time, () => new RoomTime(Shared.Time));

    /// <summary>The seed of the random numbers of a room that repeats a recording.</summary>
    internal int? Seed { private get; init; }

    private bool MayBeRecorded => Shared.Record is not null && Role is not IRoomReplica;

    private int? OwnSeed => Seed is not null ? Seed : Shared.Seed is { } seed ? unchecked((seed * 31) + (int)Id) : null;

    internal long Id { get; }

    internal string Name => Settings.Name;

    internal RoomSettings Settings { get; }

    internal RoomServices Shared { get; }

    /// <summary>What the room is in a cluster, or what saves it; <see langword="null"/> for other rooms.</summary>
    internal RoomRole? Role { get; init; }
}
