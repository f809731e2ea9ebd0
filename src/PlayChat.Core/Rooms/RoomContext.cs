namespace PlayChat.Core.Rooms;

/// <summary>The context with which a registry creates a room. Pass it to the base constructor.</summary>
public sealed class RoomContext
{
    internal RoomContext(long id, RoomSettings settings, RoomServices services, RoomRegistry registry)
    {
        Id = id;
        Settings = settings;
        Services = services;
        Registry = registry;
    }

    /// <summary>The room's id.</summary>
    public long Id { get; }

    /// <summary>The room's name.</summary>
    public string Name => Settings.Name;

    internal RoomSettings Settings { get; }

    internal RoomServices Services { get; }

    internal RoomRegistry Registry { get; }
}
