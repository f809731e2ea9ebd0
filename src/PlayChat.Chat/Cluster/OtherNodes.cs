using PlayChat.Cluster.Log;

namespace PlayChat.Chat.Cluster;

/// <summary>The other nodes of the cluster that take clients, as far as this node knows. Thread-safe.</summary>
/// <remarks>
/// A server without a cluster knows none. A node that has failed is named until its lease has ended. A client that does not reach it tries
/// the next server of its list.
/// Clients go to nodes of another version than this one's, if there are any: while an upgrade replaces one node after the other, a client
/// then moves once, and not again with the next node that stops.
/// </remarks>
internal sealed class OtherNodes
{
    private NodeInfo[] _nodes = [];
    private NodeInfo[] _turns = []; // of these, the ones that get clients, each in turn
    private long _turn;
    private long _redirects;

    /// <summary>How many requests were answered REDIRECT.</summary>
    public long Redirects => Interlocked.Read(ref _redirects);

    public bool Any => Volatile.Read(ref _nodes).Length > 0;

    /// <summary>Takes over what the directory says.</summary>
    /// <param name="live">All nodes that live, this one included.</param>
    /// <param name="self">This node.</param>
    public void Set(IReadOnlyList<NodeInfo> live, RecordOrigin self)
    {
        // Clients reach a loopback address only on their own machine. If this node has one, all nodes are on that machine.
        bool isLocal = live.Any(node => node.Origin.NodeId == self.NodeId && IsLoopback(node.Endpoint));
        NodeInfo[] nodes =
        [
            .. live.Where(node => !node.IsDraining
                && node.Origin.NodeId != self.NodeId
                && IsReachable(node.Endpoint)
                && (isLocal || !IsLoopback(node.Endpoint))),
        ];
        string? version = live.FirstOrDefault(node => node.Origin.NodeId == self.NodeId)?.Version;
        NodeInfo[] others = [.. nodes.Where(node => node.Version != version)];
        Volatile.Write(ref _nodes, nodes);
        Volatile.Write(ref _turns, others.Length > 0 ? others : nodes);
    }

    /// <summary>Asks the directory.</summary>
    /// <exception cref="ClusterDirectoryException">The directory is away.</exception>
    public async Task ReadAsync(ClusterLife life, CancellationToken cancellationToken) =>
        Set(await life.Directory.GetNodesAsync(cancellationToken), life.Origin);

    /// <summary>Chooses a node for a client whose connection closes.</summary>
    /// <returns>HOST:PORT, or <see langword="null"/> when no other node is known.</returns>
    public string? Next()
    {
        NodeInfo[] nodes = Volatile.Read(ref _turns);
        return nodes.Length == 0 ? null : nodes[Interlocked.Increment(ref _turn) % nodes.Length].Endpoint;
    }

    /// <summary>Chooses a node for a request that is answered REDIRECT, and counts it.</summary>
    /// <inheritdoc cref="Next"/>
    public string? Redirect() => Count(Next());

    /// <summary>Chooses the node with an origin for a request that is answered REDIRECT, and counts it.</summary>
    /// <returns>HOST:PORT, or <see langword="null"/> when it does not take clients.</returns>
    public string? Redirect(RecordOrigin origin) =>
        Count(Array.Find(Volatile.Read(ref _nodes), node => node.Origin == origin)?.Endpoint);

    private string? Count(string? endpoint)
    {
        if (endpoint is not null)
        {
            Interlocked.Increment(ref _redirects);
        }

        return endpoint;
    }

    private static bool IsLoopback(string endpoint) => IPEndPoint.TryParse(endpoint, out IPEndPoint? address)
        ? IPAddress.IsLoopback(address.Address)
        : endpoint.StartsWith("localhost:", StringComparison.OrdinalIgnoreCase);

    // Without Cluster:AdvertisedEndpoint a node names the address at which it listens, which may be "every address" or "any port".
    private static bool IsReachable(string endpoint) => !IPEndPoint.TryParse(endpoint, out IPEndPoint? address)
        || (address.Port != 0 && !address.Address.Equals(IPAddress.Any) && !address.Address.Equals(IPAddress.IPv6Any));
}
