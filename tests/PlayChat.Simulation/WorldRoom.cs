namespace PlayChat.Simulation;

/// <summary>What a client knows of a room of its world's only server.</summary>
internal sealed class WorldRoom(long id) : ClientRoom(id)
{
    /// <summary>The newest count of each key.</summary>
    internal int[] Presence { get; } = new int[2];

    /// <summary>What the client has said and the room has not acknowledged, in order.</summary>
    internal SortedSet<int> Unacknowledged { get; } = [];
}
