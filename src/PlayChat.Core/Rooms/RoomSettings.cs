namespace PlayChat.Core.Rooms;

/// <summary>How a room begins. Only the name is needed.</summary>
public sealed class RoomSettings
{
    /// <summary>What it is called; not unique.</summary>
    public required string Name { get; init; }

    /// <summary>Members it takes, from 1; never more than <see cref="RoomOptions.MaxMembers"/>, which is the default.</summary>
    public int Capacity { get; init; } = int.MaxValue;

    /// <summary>Whether it is left out of <see cref="RoomRegistry.List"/>; who knows its id can still join. Default false.</summary>
    public bool IsPrivate { get; init; }

    /// <summary>Needed to join; <see langword="null"/> (default) or empty for none. Only its hash is kept.</summary>
    public string? Password { get; init; }

    /// <summary>To whom the room belongs, by the application's number (<see cref="Sessions.SessionUser.Id"/>). What that allows is the application's matter.</summary>
    public long? OwnerId { get; init; }

    /// <summary>The application's own facts about the room, to be listed and filtered by. Copied; keys are compared letter for letter.</summary>
    public IReadOnlyDictionary<string, string> Properties { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>
    /// Whether the room removes itself at the end of a turn in which its last member left, or its first one could not stay, after <see cref="Room.OnEmpty"/>.
    /// Default false.
    /// </summary>
    public bool RemoveWhenEmpty { get; init; }
}
