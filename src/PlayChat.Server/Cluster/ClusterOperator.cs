using PlayChat.Core.Cluster;

namespace PlayChat.Server.Cluster;

/// <summary>What an operator of this node does with the players of the other nodes. Thread-safe.</summary>
/// <remarks>It goes through the cluster's log, so a node that is up does it even if it is behind for the moment.</remarks>
internal sealed class ClusterOperator(ClusterNode node)
{
    /// <summary>Has the other nodes tell something to all their players, or to the members of a room.</summary>
    /// <param name="roomId">The room; 0 for all players.</param>
    /// <param name="message">The sentence.</param>
    /// <returns><see langword="false"/> when the log does not take it now: nothing was told.</returns>
    public bool TryTell(long roomId, string message) => TryPublish(RoomEntryKind.Notice, roomId, place: default, message);

    /// <summary>Has another node tell something to the player of a session.</summary>
    /// <inheritdoc cref="TryTell(long, string)"/>
    /// <param name="place">From <see cref="FindSessionAsync"/>.</param>
    /// <param name="message">The sentence.</param>
    public bool TryTell(SessionPlace place, string message) => TryPublish(RoomEntryKind.SessionNotice, roomId: 0, place, message);

    /// <summary>Has another node close a session.</summary>
    /// <param name="place">From <see cref="FindSessionAsync"/>.</param>
    /// <param name="message">What its player is told; empty for the usual sentence.</param>
    /// <returns><see langword="false"/> when the log does not take it now.</returns>
    public bool TryClose(SessionPlace place, string message) => TryPublish(RoomEntryKind.SessionClose, roomId: 0, place, message);

    /// <summary>Finds the session of a player on another node.</summary>
    /// <exception cref="ClusterDirectoryException">The directory is away, or this node has no place in the cluster now.</exception>
    public async Task<SessionPlace?> FindSessionAsync(long userId, CancellationToken cancellationToken)
    {
        ClusterLife life = GetLife();
        return await life.Directory.FindSessionAsync(userId, cancellationToken) is { } place && place.Node != life.Origin ? place : null;
    }

    /// <summary>Whether a room has members, on whichever node.</summary>
    /// <exception cref="ClusterDirectoryException">The directory is away, or this node has no place in the cluster now.</exception>
    public async Task<bool> HasMembersAsync(long roomId, CancellationToken cancellationToken) =>
        (await GetLife().Directory.GetMembersAsync(roomId, cancellationToken)).Count > 0;

    private ClusterLife GetLife() =>
        node.Life
        ?? throw new ClusterDirectoryException("This node has no place in the cluster now. Ask another node, or try again later.");

    private bool TryPublish(RoomEntryKind kind, long roomId, SessionPlace place, string message) =>
        node.Life is { } life
        && life.TryPublish(kind, roomId, userId: 0, token: 0, new RoomEntryBody(0, place.Node, place.SessionId, 0, "", message));
}
