namespace PlayChat.Protocol;

/// <summary>The client is back: its session continues on a new connection, or it has logged in again.</summary>
/// <param name="rooms">What became of each room.</param>
public sealed class ReconnectedEventArgs(IReadOnlyList<RoomRecovery> rooms) : EventArgs
{
    /// <summary>One for each room that the client was in.</summary>
    public IReadOnlyList<RoomRecovery> Rooms { get; } = rooms;

    /// <summary>Whether the client is in all its rooms and nothing of them is missing.</summary>
    public bool IsRecovered => Rooms.All(static room => room.IsRecovered);
}
