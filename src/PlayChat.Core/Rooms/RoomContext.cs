namespace PlayChat.Core.Rooms;

/// <summary>What a registry gives a room to be made with; passed on to the base constructor.</summary>
public sealed class RoomContext
{
    internal RoomContext(long id, string name, RoomServices services, RoomRegistry registry)
    {
        Id = id;
        Name = name;
        Services = services;
        Registry = registry;
    }

    /// <summary>The room's number.</summary>
    public long Id { get; }

    /// <summary>What it is called.</summary>
    public string Name { get; }

    internal RoomServices Services { get; }

    internal RoomRegistry Registry { get; }
}
