using System.Collections.Concurrent;
using PlayChat.Core.Cluster;

namespace PlayChat.Core.SharedRooms;

/// <summary>The tenures of a node that have not ended, at most one of each room. Thread-safe.</summary>
internal sealed class RoomTenures(RoomCluster cluster)
{
    private readonly ConcurrentDictionary<long, RoomTenure> _tenures = new(); // by room id

    /// <summary>Whether this node owns a room, or has owned it and has not yet let another node own it.</summary>
    internal bool Has(long roomId) => _tenures.ContainsKey(roomId);

    /// <param name="life">The node's life.</param>
    /// <param name="roomId">The room, of which there is no tenure.</param>
    /// <param name="sender">Sends what the owner publishes.</param>
    internal RoomTenure Begin(ClusterLife life, long roomId, ClusterSender sender) =>
        _tenures[roomId] = new RoomTenure(cluster, life, roomId, sender);

    internal void Remove(RoomTenure tenure) => _tenures.TryRemove(new(tenure.RoomId, tenure));

    /// <summary>The node has read that it gives a room up.</summary>
    internal void OnReleaseRead(long roomId) => _tenures.GetValueOrDefault(roomId)?.OnRead();

    /// <summary>Records of a log are missing.</summary>
    internal void OnGap(ClusterLife life, int shard)
    {
        foreach ((long roomId, RoomTenure tenure) in _tenures)
        {
            if (RoomShard.Of(roomId, life.ShardCount) == shard)
            {
                tenure.OnRead();
            }
        }
    }

    /// <summary>Completes when the present tenures have ended.</summary>
    internal Task WhenEndedAsync() => Task.WhenAll(_tenures.Select(static entry => entry.Value.Ended));
}
