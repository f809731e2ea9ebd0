namespace PlayChat.Cluster.Log;

/// <summary>The node, and its incarnation, that wrote a batch.</summary>
/// <param name="NodeId">The node, 0 to 65,535.</param>
/// <param name="Incarnation">Rises with each start of the node, from 1 on. The cluster's directory gives it.</param>
public readonly record struct RecordOrigin(int NodeId, long Incarnation);
