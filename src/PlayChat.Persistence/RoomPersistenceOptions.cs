namespace PlayChat.Persistence;

/// <summary>How rooms are saved, and which are made again at the start. Read when the server starts.</summary>
public sealed class RoomPersistenceOptions
{
    private readonly Dictionary<string, Func<RoomRegistry, RoomSettings, Room>> _kinds = new(StringComparer.Ordinal);
    private readonly Dictionary<Type, string> _names = [];

    /// <summary>How often a room that has changed is saved: the most of its life that a crash may lose. Default 10 seconds; 50 ms to
    /// 1 hour. A stop of the server saves all rooms.</summary>
    public TimeSpan SaveInterval { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The largest state of a room in bytes. Default 1 MiB; 1 byte to 64 MiB. A larger one is logged as an Error and not
    /// saved.</summary>
    public int MaxStateBytes { get; set; } = 1 << 20;

    /// <summary>
    /// Makes the saved rooms of a type again at the start. Rooms that the application creates at each start by their name, such as those of
    /// <c>AddRoom</c>, do not need it.
    /// </summary>
    /// <typeparam name="TRoom">The type.</typeparam>
    /// <param name="make">Creates the room with the context that it gets. By default the room's constructor gets the context and the
    /// server's services.</param>
    /// <param name="kind">The name of the type in the store: of each type another one, and the same in later versions of the application.
    /// Default: the name of the class, so give the old name here if you rename the class.</param>
    /// <returns>The options.</returns>
    /// <exception cref="ArgumentException">The type or the name was added before.</exception>
    public RoomPersistenceOptions Add<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TRoom>(
        Func<RoomContext, TRoom>? make = null, string? kind = null)
        where TRoom : Room
    {
        string name = kind ?? typeof(TRoom).Name;
        _kinds.Add(name, (rooms, settings) => rooms.Create(settings, make));
        _names.Add(typeof(TRoom), name);
        return this;
    }

    internal string KindOf(Type type) => _names.GetValueOrDefault(type) ?? type.Name;

    /// <returns><see langword="null"/> if the application makes the rooms of the kind itself.</returns>
    internal Func<RoomRegistry, RoomSettings, Room>? FindKind(string kind) => _kinds.GetValueOrDefault(kind);

    /// <exception cref="ArgumentOutOfRangeException">A value is outside of its range.</exception>
    internal void Validate()
    {
        Check(SaveInterval.TotalMilliseconds, 50, 3_600_000, nameof(SaveInterval));
        Check(MaxStateBytes, 1, 64 << 20, nameof(MaxStateBytes));
    }

    private static void Check(double value, double lowest, double highest, string name)
    {
        if (!(value >= lowest && value <= highest))
        {
            throw new ArgumentOutOfRangeException(name, value, $"It must be {lowest} to {highest}.");
        }
    }
}
