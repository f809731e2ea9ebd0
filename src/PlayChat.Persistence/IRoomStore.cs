namespace PlayChat.Persistence;

/// <summary>Keeps rooms where they survive a restart of the server, for example in files or in a database; see
/// <see cref="RoomPersistenceExtensions.UseRoomStore"/>.</summary>
/// <remarks>
/// Implement it thread-safely. A save or a removal that throws, or that takes longer than 10 seconds, is logged and repeated, after those
/// of other rooms, until it succeeds or the server stops. One server uses a store at a time.
/// </remarks>
public interface IRoomStore
{
    /// <summary>Reads all rooms. Called once, at the start; what it throws ends the start.</summary>
    Task<IReadOnlyList<SavedRoom>> LoadAsync(CancellationToken cancellationToken);

    /// <summary>Saves a room in place of the one with the same name: wholly or, when the process is killed meanwhile, not at all.</summary>
    Task SaveAsync(SavedRoom room, CancellationToken cancellationToken);

    /// <summary>Removes the room with this name, because it has ended. Does nothing if there is none.</summary>
    Task RemoveAsync(string name, CancellationToken cancellationToken);
}
