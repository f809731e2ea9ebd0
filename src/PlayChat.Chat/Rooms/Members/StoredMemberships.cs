namespace PlayChat.Chat.Rooms.Members;

/// <summary>Single memberships in the store. Thread-safe.</summary>
internal static class StoredMemberships
{
    /// <summary>What the store has of a player in a room; <see langword="null"/> for nothing.</summary>
    /// <exception cref="StorageException">The database failed.</exception>
    public static async Task<RoomMembership?> FindMembershipAsync(
        this IChatStore store, long roomId, long playerId, CancellationToken cancellationToken) =>
        (await store.ListMembershipsAsync(roomId, playerId - 1, limit: 1, cancellationToken)) is [var found] && found.PlayerId == playerId
            ? found
            : null;
}
