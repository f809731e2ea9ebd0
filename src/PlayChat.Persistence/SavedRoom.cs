namespace PlayChat.Persistence;

/// <summary>A room as it is saved.</summary>
/// <param name="Name">The room's name: 1 character or more.</param>
/// <param name="Data">The rest, in a format of its own with a version and a checksum; never changed.</param>
public sealed record SavedRoom(string Name, ReadOnlyMemory<byte> Data);
