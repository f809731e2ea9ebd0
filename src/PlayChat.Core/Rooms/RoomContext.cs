namespace PlayChat.Core.Rooms;

/// <summary>What a registry gives a room to be made with; passed on to the base constructor.</summary>
public sealed class RoomContext
{
    internal RoomContext(long id, RoomSettings settings, RoomServices services, RoomRegistry registry)
    {
        Id = id;
        Settings = settings;
        Services = services;
        Registry = registry;
    }

    /// <summary>The room's number.</summary>
    public long Id { get; }

    /// <summary>What it is called.</summary>
    public string Name => Settings.Name;

    internal RoomSettings Settings { get; }

    internal RoomServices Services { get; }

    internal RoomRegistry Registry { get; }
}
