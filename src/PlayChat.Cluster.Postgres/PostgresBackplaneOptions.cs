namespace PlayChat.Cluster.Postgres;

/// <summary>Options of <see cref="PostgresBackplane"/>. Read when the backplane is made.</summary>
public sealed class PostgresBackplaneOptions
{
    /// <summary>How to reach the database, in Npgsql's form: <c>Host=…;Database=…;Username=…;Password=…</c>. Required.</summary>
    /// <remarks>The backplane uses three connections.</remarks>
    public string ConnectionString { get; set; } = "";

    /// <summary>How many shards the log has. Default 4; 1 to 1,024. Fixed once the tables exist, and the same on every node.</summary>
    public int ShardCount { get; set; } = 4;

    /// <summary>How long the log keeps its batches. Default 24 hours; 1 minute to 365 days. Every node deletes older ones.</summary>
    public TimeSpan Retention { get; set; } = TimeSpan.FromHours(24);

    /// <summary>The bounds that all engines share.</summary>
    public BackplaneOptions Limits { get; set; } = new();

    /// <summary>Checks all values.</summary>
    /// <exception cref="ArgumentException">A value is outside its range, or the connection string is invalid.</exception>
#pragma warning disable MA0015 // an option is no parameter
    public void Validate()
    {
        PostgresSource.Parse(ConnectionString);
        Limits.Validate();
        if (ShardCount is < 1 or > 1024)
        {
            throw new ArgumentException($"{nameof(ShardCount)} is {ShardCount}; it must be 1 to 1,024.");
        }

        if (Retention < TimeSpan.FromMinutes(1) || Retention > TimeSpan.FromDays(365))
        {
            throw new ArgumentException($"{nameof(Retention)} is {Retention}; it must be 1 minute to 365 days.");
        }
    }
#pragma warning restore MA0015
}
