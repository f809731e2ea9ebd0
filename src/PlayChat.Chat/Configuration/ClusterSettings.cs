using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Cluster</c>.</summary>
internal sealed class ClusterSettings
{
    [Option(
        "Number of this node, which no other node of the cluster has; 0 runs the server alone, without a cluster.",
        Min = 0,
        Max = 65_535)]
    public int NodeId { get; set; }

    [Option("What carries messages between the nodes. All nodes need the same.")]
    public ClusterEngine Engine { get; set; }

    [Option(
        "Where clients reach this node; other nodes name it to clients.",
        Allowed = "HOST:PORT, or empty for the first address that the server listens at")]
    public string AdvertisedEndpoint { get; set; } = "";

    [Option(
        "Number of logs that the rooms are spread over. The same on all nodes, and fixed for the life of the cluster.",
        Min = 1,
        Max = 1024)]
    public int Shards { get; set; } = 4;

    /// <summary>A secret: never logged, and never part of an error message.</summary>
    [Option(
        "PostgreSQL database of nodes, memberships and sessions. Set it in the environment, since it holds a password.",
        Allowed = "a connection string of Npgsql, or empty for that of Storage")]
    public string ConnectionString { get; set; } = "";

    [Option(
        "How long the other nodes wait for a sign of life of this node before they remove its members. A node that reaches neither the "
            + "database nor the log closes its clients after four fifths of it.",
        Min = "00:00:01",
        Max = "00:10:00",
        WhenReached = "The node closes its clients as `NodeFenced` and joins the cluster again.")]
    public TimeSpan Lease { get; set; } = TimeSpan.FromSeconds(10);

    [Option("Interval at which a node looks for nodes that have ended.", Min = "00:00:00.100", Max = "00:10:00")]
    public TimeSpan SweepInterval { get; set; } = TimeSpan.FromSeconds(2);

    [Option(
        "How long a message may take to come back from the log.",
        Min = "00:00:00.100",
        Max = "00:01:00",
        WhenReached = "The request is answered UNAVAILABLE with `retry_after_ms`. The message may still be heard.")]
    public TimeSpan AnswerTimeout { get; set; } = TimeSpan.FromSeconds(5);

    [Option(
        "How long a node keeps what it has read from the log: for clients that come from another node, and to store what a failed node has "
            + "not stored.",
        Min = "00:00:01",
        Max = "01:00:00")]
    public TimeSpan KeepRead { get; set; } = TimeSpan.FromMinutes(1);

    [Option(
        "Bytes that a node keeps of it, over all shards.",
        Min = 1_048_576,
        Max = 4_294_967_296,
        WhenReached = "The node drops the oldest. Clients that were away longer read the history from the database.")]
    public long KeepReadBytes { get; set; } = 67_108_864;

    [Option(
        "Sends a player that joins its first room to the node that has the most members of the room, so that few nodes serve each room. "
            + "The client must follow REDIRECT; others are served where they are.")]
    public bool Affinity { get; set; }

    /// <summary>Whether the server is a node of a cluster.</summary>
    public bool IsOn => NodeId > 0;
}
