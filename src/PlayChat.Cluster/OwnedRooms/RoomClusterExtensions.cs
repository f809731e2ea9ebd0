using PlayChat.Core.Hosting;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>Lets servers share rooms.</summary>
public static class RoomClusterExtensions
{
    /// <summary>
    /// Makes the server a node of a cluster that shares rooms: those with <see cref="RoomSettings.IsClustered"/>. The start then waits for
    /// the cluster's directory and log, and throws their exceptions.
    /// </summary>
    /// <param name="server">The server.</param>
    /// <param name="cluster">The node, the directory and the log.</param>
    /// <exception cref="ArgumentException">An option is outside of its range.</exception>
    /// <exception cref="InvalidOperationException">The server is a node already, or has started.</exception>
    public static PlayChatServer UseRoomCluster(this PlayChatServer server, RoomClusterOptions cluster)
    {
        ArgumentNullException.ThrowIfNull(server);
        ArgumentNullException.ThrowIfNull(cluster);
        cluster.Validate();
        return server.UsePart(running => new RoomCluster(cluster, running));
    }
}
