namespace PlayChat.Chat.Cluster;

/// <summary>The end of a membership of a session of this node. Immutable.</summary>
internal sealed record ClusterLeave(long RoomId, ClusterMember Member)
{
    /// <summary>Whether the player may come back through another node: if this one stops, the player stays a member until then, or until
    /// the node is lost.</summary>
    public bool MayReturn { get; init; }

    /// <summary>What the members hear when the player leaves for good; otherwise empty.</summary>
    public string Farewell { get; init; } = "";

    /// <summary>Whether the log has the player's join; only a directory that was read meanwhile may have it otherwise.</summary>
    public bool WasAnnounced { get; init; } = true;

    /// <summary>Completes when the store has what the player has read: another node may continue there.</summary>
    public Task Marked { get; init; } = Task.CompletedTask;
}
