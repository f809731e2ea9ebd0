namespace PlayChat.Chat.Configuration;

/// <summary>What carries the messages between the nodes of a cluster.</summary>
internal enum ClusterEngine
{
    /// <summary>Nothing: the node is alone.</summary>
    Local = 0,

    /// <summary>Streams of RabbitMQ. The directory is still in PostgreSQL.</summary>
    RabbitMq = 1,

    /// <summary>A table of the PostgreSQL database.</summary>
    Postgres = 2,
}
