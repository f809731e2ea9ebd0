using System.Net.Sockets;

namespace PlayChat.Cluster.Postgres;

/// <summary>Reads connection strings and explains the driver's errors.</summary>
internal static class PostgresSource
{
    // PostgreSQL allows 100 connections in all by default. A node has 12 more for its accounts and chat, and 3 for the log in PostgreSQL,
    // so that four nodes need 92. Work that finds none free waits for one.
    private const int MaxConnections = 8;
    private const int TimeoutSeconds = 5;

    // Below the idle timeouts of usual firewalls and poolers (a minute and more). They cut a silent connection, often without a word.
    private const int KeepAliveSeconds = 30;

    /// <summary>The server notices within half a minute that the machine of this connection has failed; by itself it would take two hours.
    /// Until then it keeps the locks of a transaction that has arrived in part. Lasts until the connection is back in its pool.</summary>
    public const string NoticeLoss =
        """
        select set_config('tcp_keepalives_idle', '10', false),
            set_config('tcp_keepalives_interval', '5', false),
            set_config('tcp_keepalives_count', '3', false),
            set_config('tcp_user_timeout', '25000', false)
        """;

    // The server has ended the connection because it, or its transaction, was idle. Npgsql has no names for them.
    private const string IdleSessionTimeout = "57P05";
    private const string IdleInTransactionTimeout = "25P03";
    private const string TransactionTimeout = "25P04";

    /// <exception cref="ArgumentException">The text is no connection string.</exception>
    public static NpgsqlConnectionStringBuilder Parse(string connectionString)
    {
        NpgsqlConnectionStringBuilder settings;
        try
        {
            settings = new NpgsqlConnectionStringBuilder(connectionString);
        }
        catch (Exception exception) when (
            exception is ArgumentException or FormatException or KeyNotFoundException or NotSupportedException)
        {
            throw Bad();
        }

        if (string.IsNullOrWhiteSpace(settings.Host))
        {
            throw Bad();
        }

        settings.ApplicationName ??= "PlayChat";
        SetDefault(settings, "Maximum Pool Size", MaxConnections);
        SetDefault(settings, "Timeout", TimeoutSeconds);
        SetDefault(settings, "Command Timeout", TimeoutSeconds);
        SetDefault(settings, "Keepalive", KeepAliveSeconds);
        // A server that does not answer a query does not answer its cancellation either.
        SetDefault(settings, "Cancellation Timeout", -1);
        return settings;
    }

    public static string Describe(NpgsqlConnectionStringBuilder settings) =>
        $"PostgreSQL database '{settings.Database ?? settings.Username}' on {settings.Host}:{settings.Port}";

    /// <summary>What failed, and what to do about it.</summary>
    public static string Explain(Exception exception) =>
        exception.Message + exception switch
        {
            PostgresException { SqlState: PostgresErrorCodes.TooManyConnections } =>
                ". Raise max_connections of PostgreSQL, or allow each node fewer (Maximum Pool Size of the connection string).",
            _ => " Check that the server runs.",
        };

    /// <summary>Whether an exception is an outage or a refusal of the database, not a fault of the program.</summary>
    public static bool IsDatabaseError(Exception exception) =>
        exception is NpgsqlException or SocketException or TimeoutException or IOException;

    /// <summary>Whether repeating the work at once, on another connection, may succeed.</summary>
    public static bool IsPassing(Exception exception) => exception switch
    {
        PostgresException error => error.SqlState is PostgresErrorCodes.DeadlockDetected or PostgresErrorCodes.SerializationFailure
            or PostgresErrorCodes.AdminShutdown or PostgresErrorCodes.CrashShutdown or PostgresErrorCodes.CannotConnectNow
            or IdleSessionTimeout or IdleInTransactionTimeout or TransactionTimeout
            or PostgresErrorCodes.ReadOnlySqlTransaction // after a failover an idle connection may lead to the old primary
            || error.SqlState.StartsWith("08", StringComparison.Ordinal), // a pooler that has lost the server, or has closed the client
        // A pooled connection to a server that was restarted. A server that takes its time is not asked again.
        NpgsqlException { InnerException: IOException or SocketException { SocketErrorCode: SocketError.ConnectionReset } } => true,
        _ => false,
    };

    private static void SetDefault(NpgsqlConnectionStringBuilder settings, string keyword, object value)
    {
        if (!settings.ShouldSerialize(keyword))
        {
            settings[keyword] = value;
        }
    }

#pragma warning disable MA0015 // an option is no parameter
    private static ArgumentException Bad() => new(
        "The connection string of PostgreSQL is invalid. It looks like Host=localhost;Database=playchat;Username=playchat;Password=…");
#pragma warning restore MA0015
}
