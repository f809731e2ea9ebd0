namespace PlayChat.Core.Rooms;

/// <summary>A description of a room at one moment. Immutable.</summary>
public sealed record RoomDescription
{
    internal RoomDescription()
    {
    }

    /// <summary>The room's id, from 1.</summary>
    public required long Id { get; init; }

    /// <summary>The room's name. Several rooms may have the same.</summary>
    public required string Name { get; init; }

    /// <summary>The number of members, spectators included.</summary>
    public int MemberCount { get; init; }

    /// <summary>The number of members that are spectators. A node's replica of a room that a cluster shares says 0.</summary>
    public int SpectatorCount { get; init; }

    /// <summary>The maximum number of members that are no spectators.</summary>
    public required int Capacity { get; init; }

    /// <summary>The maximum number of spectators.</summary>
    public int SpectatorCapacity { get; init; }

    /// <summary>Whether the room refuses all joins.</summary>
    public bool IsLocked { get; init; }

    /// <summary>Whether the room is left out of lists.</summary>
    public bool IsPrivate { get; init; }

    /// <summary>Whether a join needs a password.</summary>
    public bool HasPassword { get; init; }

    /// <summary>The id of the owner; <see langword="null"/> for none.</summary>
    public long? OwnerId { get; init; }

    /// <summary>The application's own properties.</summary>
    public required IReadOnlyDictionary<string, string> Properties { get; init; }

    /// <summary>Whether the room has a free seat and is not locked. A join may still need a password.</summary>
    public bool IsJoinable => !IsLocked && MemberCount - SpectatorCount < Capacity;
}
