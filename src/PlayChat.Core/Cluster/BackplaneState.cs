namespace PlayChat.Core.Cluster;

/// <summary>Whether a backplane can publish.</summary>
public enum BackplaneState
{
    /// <summary>Records are accepted. A connection that broke less than <see cref="BackplaneOptions.PendingTimeout"/> ago counts as
    /// up.</summary>
    Up = 0,

    /// <summary>
    /// The log has not answered for <see cref="BackplaneOptions.PendingTimeout"/>. Records are refused, and what was read last may be old.
    /// The backplane keeps trying and heals without help.
    /// </summary>
    Degraded = 1,

    /// <summary>
    /// Not yet connected for the first time, or at its end: disposed, or another node declared this life of the node dead. After such an
    /// end a node needs a new backplane with a new incarnation.
    /// </summary>
    Down = 2,
}
