namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The tenures of a node that have not ended, at most one of each room. Thread-safe.</summary>
internal sealed class RoomTenures(RoomCluster cluster)
{
    private readonly ConcurrentDictionary<long, RoomTenure> _tenures = new(); // by room id

    internal int Count => _tenures.Count;

    /// <summary>Whether this node owns a room, or has owned it and has not yet let another node own it.</summary>
    internal bool Has(long roomId) => _tenures.ContainsKey(roomId);

    /// <summary>Begins a tenure with the node's life.</summary>
    /// <param name="life">The life.</param>
    /// <param name="roomId">The room.</param>
    /// <param name="asking">The last question for the room.</param>
    /// <returns><see langword="null"/> if the room's former tenure has not ended.</returns>
    internal RoomTenure? TryBegin(NodeLife life, long roomId, Task asking)
    {
        var tenure = new RoomTenure(cluster, life, roomId, asking);
        return _tenures.TryAdd(roomId, tenure) ? tenure : null;
    }

    internal void Remove(RoomTenure tenure) => _tenures.TryRemove(new(tenure.RoomId, tenure));

    /// <summary>The node has read that it gives a room up.</summary>
    internal void OnReleaseRead(long roomId) => _tenures.GetValueOrDefault(roomId)?.OnRead();

    internal void OnGap(NodeLife life, int shard)
    {
        foreach ((long roomId, RoomTenure tenure) in _tenures)
        {
            if (RoomShard.Of(roomId, life.Backplane.ShardCount) == shard)
            {
                tenure.OnGap();
            }
        }
    }

    /// <summary>Completes when the present tenures have ended.</summary>
    internal Task WhenEndedAsync() => Task.WhenAll(_tenures.Select(static entry => entry.Value.Ended));
}
