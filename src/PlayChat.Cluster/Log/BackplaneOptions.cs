namespace PlayChat.Cluster.Log;

/// <summary>The bounds of a backplane. Read when the backplane is made.</summary>
public sealed class BackplaneOptions
{
    /// <summary>Bytes of records that may wait for the log, over all shards. Default 4 MiB; at least 64 KiB.</summary>
    /// <remarks>At the bound <see cref="IRoomBackplane.Publish"/> answers <see cref="PublishResult.Full"/>.</remarks>
    public int PendingBytes { get; set; } = 4 << 20;

    /// <summary>How long the log may be silent until the backplane is <see cref="BackplaneState.Degraded"/>. Default 5 s; 1 ms to
    /// 1 hour.</summary>
    public TimeSpan PendingTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The longest body of a record in bytes. Default 32 KiB, 1 to 65,536.</summary>
    public int MaxBodyBytes { get; set; } = 32 << 10;

    /// <summary>Bytes from which on a batch takes no further record. Default 64 KiB, 1 to 1 MiB.</summary>
    public int BatchBytes { get; set; } = 64 << 10;

    /// <summary>Batches of a shard that may be unconfirmed at once; further ones wait. Default 64, 1 to 65,536.</summary>
    public int MaxUnconfirmed { get; set; } = 64;

    /// <summary>Checks all values.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A value is outside of its range.</exception>
    public void Validate()
    {
        Check(PendingBytes, 64 << 10, int.MaxValue, nameof(PendingBytes));
        Check(MaxBodyBytes, 1, 64 << 10, nameof(MaxBodyBytes));
        Check(BatchBytes, 1, 1 << 20, nameof(BatchBytes));
        Check(MaxUnconfirmed, 1, 64 << 10, nameof(MaxUnconfirmed));
        Check(PendingTimeout.TotalMilliseconds, 1, 3_600_000, nameof(PendingTimeout));
    }

    internal BackplaneOptions Copy() => (BackplaneOptions)MemberwiseClone();

    internal static void Check(double value, double lowest, double highest, string name)
    {
        if (!(value >= lowest && value <= highest))
        {
            throw new ArgumentOutOfRangeException(name, value, $"It must be {lowest} to {highest}.");
        }
    }
}
