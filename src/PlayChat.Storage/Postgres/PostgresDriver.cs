using Npgsql;

namespace PlayChat.Storage.Postgres;

/// <summary>Npgsql, with one pool of connections.</summary>
internal sealed class PostgresDriver : IServerDriver
{
    // PostgreSQL allows 100 connections in all by default. Work that finds none free waits for one, so a burst needs no more.
    private const int MaxConnections = 12;

    // Below the idle timeouts of usual firewalls and poolers (a minute and more). They cut a silent connection, often without a word.
    private const int KeepAliveSeconds = 30;

    private readonly NpgsqlDataSource _source;
    private readonly string _sessionString;

    /// <exception cref="StorageException">The connection string is none.</exception>
    public PostgresDriver(string connectionString)
    {
        try
        {
            var settings = new NpgsqlConnectionStringBuilder(connectionString);
            settings.ApplicationName ??= "PlayChat";
            // Whatever this string or PGCLIENTENCODING says: in another encoding the driver fails at the first character that it lacks, or
            // the database takes the bytes of UTF-8 for other characters.
            settings.Encoding = settings.ClientEncoding = "UTF8";
            if (!settings.ShouldSerialize("Maximum Pool Size"))
            {
                settings.MaxPoolSize = Math.Max(MaxConnections, settings.MinPoolSize);
            }

            if (!settings.ShouldSerialize("Keepalive"))
            {
                settings.KeepAlive = KeepAliveSeconds;
            }

            if (string.IsNullOrWhiteSpace(settings.Host))
            {
                throw Bad();
            }
            Location = $"PostgreSQL database '{settings.Database ?? settings.Username}' on {settings.Host}:{settings.Port}";
            _source = NpgsqlDataSource.Create(settings);
            settings.Pooling = false;
            _sessionString = settings.ConnectionString;
        }
        catch (Exception exception) when (
            exception is ArgumentException or FormatException or KeyNotFoundException or InvalidOperationException or NotSupportedException)
        {
            throw Bad();
        }
    }

    public string Location { get; }

    public DbConnection CreateConnection() => _source.CreateConnection();

    public DbConnection CreateSession() => new NpgsqlConnection(_sessionString);

    public void ClearIdle(DbConnection connection) => _source.Clear();

    public ServerError? Explain(Exception exception, bool isOpening) => PostgresErrors.Explain(exception, Location);

    private static StorageException Bad() =>
        ServerErrors.BadConnectionString("PostgreSQL", "Host=localhost;Database=playchat;Username=playchat;Password=…");

    public ValueTask DisposeAsync() => _source.DisposeAsync();
}
