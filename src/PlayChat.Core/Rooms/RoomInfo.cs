namespace PlayChat.Core.Rooms;

/// <summary>What is known of a room from outside, at one moment. Immutable.</summary>
public sealed record RoomInfo
{
    internal RoomInfo()
    {
    }

    /// <summary>Its number, from 1 on.</summary>
    public required long Id { get; init; }

    /// <summary>What it is called; not unique.</summary>
    public required string Name { get; init; }

    /// <summary>How many members it has.</summary>
    public int MemberCount { get; init; }

    /// <summary>How many members it takes.</summary>
    public required int Capacity { get; init; }

    /// <summary>Whether nobody can join at present.</summary>
    public bool IsLocked { get; init; }

    /// <summary>Whether it is left out of lists.</summary>
    public bool IsPrivate { get; init; }

    /// <summary>Whether a password is needed to join.</summary>
    public bool HasPassword { get; init; }

    /// <summary>To whom it belongs.</summary>
    public long? OwnerId { get; init; }

    /// <summary>The application's own facts.</summary>
    public required IReadOnlyDictionary<string, string> Properties { get; init; }

    /// <summary>Whether there is a free seat and no lock; a password may still be needed.</summary>
    public bool IsJoinable => !IsLocked && MemberCount < Capacity;
}
