namespace PlayChat.Core.Rooms;

/// <summary>What saves the rooms of a server that survive a restart. Thread-safe.</summary>
internal interface IRoomPersistence
{
    /// <summary>Takes a room that was continued at the start, once.</summary>
    bool TryClaim(string name, [MaybeNullWhen(false)] out Room room);

    /// <summary>Makes the role of a room, which continues the saved room of the name if there is one.</summary>
    /// <param name="settings">What the application asks for.</param>
    /// <param name="type">The type of the room.</param>
    /// <param name="nextId">Makes the id of a new room.</param>
    /// <param name="id">The id of the room, that of the saved one if there is one.</param>
    /// <param name="role">The role.</param>
    /// <returns>The settings of the saved room, or those given.</returns>
    /// <exception cref="InvalidOperationException">There is a room with this name, or the saved one is not readable.</exception>
    RoomSettings Begin(RoomSettings settings, Type type, Func<long> nextId, out long id, out RoomRole role);

    /// <summary>The room of a role could not be made.</summary>
    void Forget(RoomRole role);
}
