namespace PlayChat.FunctionalTests.Cluster;

/// <summary>What carries the messages between the nodes of a test.</summary>
public enum ClusterLog
{
    /// <summary>The PostgreSQL server that has the directory, too.</summary>
    Postgres,

    /// <summary>A RabbitMQ broker; the directory is in PostgreSQL.</summary>
    RabbitMq,
}
