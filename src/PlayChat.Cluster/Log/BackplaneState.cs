namespace PlayChat.Cluster.Log;

/// <summary>Whether a backplane can publish.</summary>
public enum BackplaneState
{
    /// <summary>Records are accepted. A connection that broke less than <see cref="BackplaneOptions.PendingTimeout"/> ago counts as
    /// up.</summary>
    Up = 0,

    /// <summary>
    /// The log has not answered for <see cref="BackplaneOptions.PendingTimeout"/>. Records are refused, and newer records may exist than
    /// those that were read. The backplane connects again by itself.
    /// </summary>
    Degraded = 1,

    /// <summary>
    /// Not connected yet, or ended: disposed, or another node declared this life of the node dead. After that a node needs a new backplane
    /// with a new incarnation.
    /// </summary>
    Down = 2,
}
