using System.Text;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>How many rooms each node of the cluster runs, by the nodes' names. Each node publishes its number in the first log when it
/// changes, and with each sweep for nodes that are new. Thread-safe.</summary>
internal sealed class NodeLoads
{
    private readonly ConcurrentDictionary<string, (RecordOrigin Node, int Rooms)> _nodes = new(StringComparer.Ordinal);
    private readonly object _gate = new(); // guards _published
    private (NodeLife? Life, int Rooms, long At) _published;

    /// <summary>Tells all nodes the number of this one, if they do not know it; -1 says that the node runs no more rooms.</summary>
    internal void Publish(NodeLife life, string name, int rooms, TimeSpan interval, TimeProvider time)
    {
        lock (_gate)
        {
            if (_published.Life == life && _published.Rooms == rooms && time.GetElapsedTime(_published.At) < interval)
            {
                return;
            }

            byte[] body = [0, 0, 0, 0, .. Encoding.UTF8.GetBytes(name)];
            BinaryPrimitives.WriteInt32LittleEndian(body, rooms);
            if (life.Backplane.Publish(0, new RoomRecord { Kind = (byte)ClusterEntryKind.Load, Body = body }) == PublishResult.Accepted)
            {
                _published = (life, rooms, time.GetTimestamp());
            }
        }
    }

    /// <summary>A node has published its number.</summary>
    internal void OnRecord(RecordOrigin node, ReadOnlySpan<byte> body)
    {
        int rooms = BinaryPrimitives.ReadInt32LittleEndian(body);
        if (rooms < 0)
        {
            Forget(node);
        }
        else
        {
            _nodes[Encoding.UTF8.GetString(body[sizeof(int)..])] = (node, rooms);
        }
    }

    internal void Forget(RecordOrigin node)
    {
        foreach (KeyValuePair<string, (RecordOrigin Node, int Rooms)> entry in _nodes.Where(entry => entry.Value.Node == node))
        {
            _nodes.TryRemove(entry);
        }
    }

    /// <summary>A room is placed on a node, which has yet to publish it.</summary>
    internal void Add(string name)
    {
        if (_nodes.TryGetValue(name, out (RecordOrigin Node, int Rooms) now))
        {
            _nodes.TryUpdate(name, now with { Rooms = now.Rooms + 1 }, now);
        }
    }

    internal RecordOrigin? Find(string name) => _nodes.TryGetValue(name, out (RecordOrigin Node, int _) found) ? found.Node : null;

    /// <summary>All nodes, with the number of sessions that each has.</summary>
    /// <param name="sessions">The node of each session.</param>
    internal RoomNode[] All(IEnumerable<RecordOrigin> sessions)
    {
        ILookup<RecordOrigin, RecordOrigin> counts = sessions.ToLookup(static node => node);
        return [.. _nodes.Select(entry => new RoomNode(entry.Key, entry.Value.Rooms, counts[entry.Value.Node].Count()))
            .OrderBy(static node => node.Name, StringComparer.Ordinal)];
    }
}
