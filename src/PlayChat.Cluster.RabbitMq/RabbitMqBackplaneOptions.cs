namespace PlayChat.Cluster.RabbitMq;

/// <summary>Options of <see cref="RabbitMqBackplane"/>. Read when the backplane is made.</summary>
public sealed class RabbitMqBackplaneOptions
{
    /// <summary>The brokers of one cluster, as <c>host</c> or <c>host:port</c>; the node connects to any of them. Default
    /// localhost:5672.</summary>
    public IReadOnlyList<string> Endpoints { get; set; } = ["localhost:5672"];

    /// <summary>The user. Default guest, which RabbitMQ accepts only from its own machine.</summary>
    public string UserName { get; set; } = "guest";

    /// <summary>The user's password. Default guest. <see cref="PasswordFile"/> takes precedence.</summary>
    public string Password { get; set; } = "guest";

    /// <summary>A file with the user's password, or empty (the default) for <see cref="Password"/>.</summary>
    /// <remarks>The node reads it each time that it connects, so a new password needs no restart. A line break at its end does not
    /// count.</remarks>
    public string PasswordFile { get; set; } = "";

    /// <summary>Whether the connections are encrypted. Default <see langword="false"/>. Brokers listen for such connections at a port of
    /// their own, usually 5671.</summary>
    public bool UseTls { get; set; }

    /// <summary>With <see cref="UseTls"/>: a PEM file of the authorities that sign the brokers' certificates. No others are trusted. Empty
    /// (the default) for those that the system trusts.</summary>
    public string TlsCaFile { get; set; } = "";

    /// <summary>With <see cref="UseTls"/>: the name in the brokers' certificates. Empty (the default) for the host of the
    /// endpoint.</summary>
    public string TlsServerName { get; set; } = "";

    /// <summary>The virtual host. Default <c>/</c>. Two clusters of nodes need two virtual hosts, or two prefixes.</summary>
    public string VirtualHost { get; set; } = "/";

    /// <summary>What the names of the streams begin with; the number of the shard follows. Default <c>playchat.rooms.</c>.</summary>
    public string StreamPrefix { get; set; } = "playchat.rooms.";

    /// <summary>How many shards the log has. Default 4; 1 to 1,024. The same on every node, and fixed for the life of the
    /// streams.</summary>
    public int ShardCount { get; set; } = 4;

    /// <summary>How many brokers hold a copy of a new stream. Default 3; 1 to 15. With fewer brokers, all of them hold one.</summary>
    /// <remarks>
    /// The stream's properties are part of its declaration: the broker refuses a node whose values differ. Change those of an existing
    /// stream with a policy.
    /// </remarks>
    public int Replicas { get; set; } = 3;

    /// <summary>How long a new stream keeps its batches. Default 24 hours; 1 minute to 365 days. See <see cref="Replicas"/>.</summary>
    public TimeSpan Retention { get; set; } = TimeSpan.FromHours(24);

    /// <summary>Bytes that a new stream keeps. Default 1 GiB; 4 MB or more. See <see cref="Replicas"/>.</summary>
    public long MaxStreamBytes { get; set; } = 1L << 30;

    /// <summary>Bytes of one file of a new stream, which is deleted as a whole. Default 64 MiB; 1 MB to a quarter of
    /// <see cref="MaxStreamBytes"/>. See <see cref="Replicas"/>.</summary>
    public long SegmentBytes { get; set; } = 64L << 20;

    /// <summary>How long a record waits for others of its shard, so that they travel as one message. Default 1 ms; 0 to 1 s.</summary>
    public TimeSpan BatchDelay { get; set; } = TimeSpan.FromMilliseconds(1);

    /// <summary>Messages that a broker sends ahead to one subscription. Default 500; 4 to 10,000.</summary>
    public int Prefetch { get; set; } = 500;

    /// <summary>The interval of heartbeats; a connection that is silent for two of them is dropped. Default 5 s; 1 s to 60 s.</summary>
    public TimeSpan Heartbeat { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The bounds that all engines share.</summary>
    public BackplaneOptions Limits { get; set; } = new();

    /// <summary>Checks all values.</summary>
    /// <exception cref="ArgumentException">A value is outside its range, or an endpoint is invalid.</exception>
#pragma warning disable MA0015 // an option is no parameter
    public void Validate()
    {
        Limits.Validate();
        ParseEndpoints();
        CheckFile(PasswordFile, nameof(PasswordFile));
        CheckFile(TlsCaFile, nameof(TlsCaFile));
        if (!UseTls && (TlsCaFile.Length > 0 || TlsServerName.Length > 0))
        {
            throw new ArgumentException($"{nameof(TlsCaFile)} and {nameof(TlsServerName)} need {nameof(UseTls)}.");
        }

        if (StreamPrefix.Length is < 1 or > 200)
        {
            throw new ArgumentException($"{nameof(StreamPrefix)} has {StreamPrefix.Length} characters; it must have 1 to 200.");
        }

        Check(ShardCount, 1, 1024, nameof(ShardCount));
        Check(Replicas, 1, 15, nameof(Replicas));
        Check((long)Retention.TotalSeconds, 60, 365 * 86_400, $"{nameof(Retention)} in seconds");
        Check(MaxStreamBytes, 4_000_000, long.MaxValue, nameof(MaxStreamBytes));
        Check(SegmentBytes, 1_000_000, MaxStreamBytes / 4, nameof(SegmentBytes));
        Check((long)BatchDelay.TotalMilliseconds, 0, 1000, $"{nameof(BatchDelay)} in milliseconds");
        Check(Prefetch, 4, 10_000, nameof(Prefetch));
        Check((long)Heartbeat.TotalSeconds, 1, 60, $"{nameof(Heartbeat)} in seconds");
    }

    internal RabbitMqBackplaneOptions Copy() => (RabbitMqBackplaneOptions)MemberwiseClone();

    internal AmqpTcpEndpoint[] ParseEndpoints()
    {
        if (Endpoints.Count == 0)
        {
            throw new ArgumentException($"{nameof(Endpoints)} is empty; name at least one broker.");
        }

        return Endpoints.Select(Parse).ToArray();
    }

    private static AmqpTcpEndpoint Parse(string text)
    {
        try
        {
            return AmqpTcpEndpoint.Parse(text);
        }
        catch (Exception e) when (e is ArgumentException or FormatException or OverflowException)
        {
            throw new ArgumentException($"The endpoint '{text}' is invalid. Write host:port, for example rabbit1:5672.", e);
        }
    }

    private static void CheckFile(string path, string name)
    {
        if (path.Length > 0 && !File.Exists(path))
        {
            throw new ArgumentException($"The file '{path}' of {name} does not exist, or may not be read.");
        }
    }

    private static void Check(long value, long lowest, long highest, string name)
    {
        if (value < lowest || value > highest)
        {
            throw new ArgumentException($"{name} is {value}; it must be {lowest} to {highest}.");
        }
    }
#pragma warning restore MA0015
}
