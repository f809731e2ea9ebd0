namespace PlayChat.Cluster.Membership;

/// <summary>Log messages about a node's place in its cluster: event ids 1140–1149.</summary>
internal static partial class MembershipLog
{
    [LoggerMessage(1140, LogLevel.Information, "Node {NodeId} has joined the cluster as {Endpoint}, incarnation {Incarnation}.")]
    public static partial void NodeJoined(ILogger logger, int nodeId, long incarnation, string endpoint);

    [LoggerMessage(
        1141, LogLevel.Error,
        "Node {NodeId} (incarnation {Incarnation}) has left the cluster: {Why}. Its clients are told to connect to another node; it joins "
            + "again.")]
    public static partial void NodeFenced(ILogger logger, int nodeId, long incarnation, string why);

    [LoggerMessage(
        1142, LogLevel.Warning,
        "Node {NodeId} (incarnation {Incarnation}) stopped renewing its lease. Its {Members} memberships end unless the players "
            + "reconnect.")]
    public static partial void NodeLost(ILogger logger, int nodeId, long incarnation, int members);

    [LoggerMessage(1143, LogLevel.Warning, "The cluster's log or directory failed: {Problem} The node tries again.")]
    public static partial void ClusterFault(ILogger logger, string problem);
}
