using PlayChat.Core;

namespace PlayChat.Cluster.OwnedRooms;

/// <summary>The handler of connections that stand for those of other nodes: nothing arrives on them.</summary>
internal sealed class ProxyHandler : IConnectionHandler
{
    public ValueTask HandleAsync(Connection connection, in Frame frame) => default;

    public void OnClosed(Connection connection, CloseReason reason)
    {
    }
}
