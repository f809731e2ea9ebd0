using System.Net.Sockets;
using Npgsql;
using PlayChat.Storage.Sql;

namespace PlayChat.Storage.Postgres;

/// <summary>What PostgreSQL's error codes mean: https://www.postgresql.org/docs/current/errcodes-appendix.html</summary>
internal static class PostgresErrors
{
    // The server has ended the connection, so nothing that was not committed has happened. Npgsql has no names for them.
    private const string IdleSessionTimeout = "57P05";
    private const string IdleInTransactionTimeout = "25P03";
    private const string TransactionTimeout = "25P04";

    public static ServerError? Explain(Exception exception, string location) => exception switch
    {
        PostgresException error => ExplainCode(error.SqlState, error.MessageText, location),
        // The driver has no code for it.
        NpgsqlException { InnerException: TimeoutException } error when error.Message.Contains(
            "pool has been exhausted", StringComparison.Ordinal) =>
            ServerErrors.PoolExhausted(location),
        NpgsqlException { InnerException: TimeoutException } => ServerErrors.NoAnswer(location),
        NpgsqlException => ServerErrors.Unreachable(location),
        // A host name that does not resolve comes as it is, and so does a connect that takes too long.
        SocketException => ServerErrors.Unreachable(location),
        TimeoutException => ServerErrors.NoAnswer(location),
        _ => null,
    };

    public static ServerError ExplainCode(string code, string message, string location) => code switch
    {
        PostgresErrorCodes.SerializationFailure or PostgresErrorCodes.DeadlockDetected or PostgresErrorCodes.LockNotAvailable =>
            ServerErrors.Busy(location),
        PostgresErrorCodes.TooManyConnections => ServerErrors.TooManyConnections(location, message),
        PostgresErrorCodes.CannotConnectNow or PostgresErrorCodes.AdminShutdown or PostgresErrorCodes.CrashShutdown
            or IdleSessionTimeout or IdleInTransactionTimeout or TransactionTimeout =>
            ServerErrors.Unreachable(location),
        PostgresErrorCodes.QueryCanceled => ServerErrors.NoAnswer(location),
        PostgresErrorCodes.DiskFull => ServerErrors.DiskFull(location),
        PostgresErrorCodes.StringDataRightTruncation => ServerErrors.TooLong(location),
        PostgresErrorCodes.DuplicateTable or PostgresErrorCodes.DuplicateObject => ServerErrors.Foreign(location),
        PostgresErrorCodes.InvalidCatalogName or PostgresErrorCodes.InsufficientPrivilege or PostgresErrorCodes.ReadOnlySqlTransaction =>
            ServerErrors.Refused(location, message),
        _ when code.StartsWith("08", StringComparison.Ordinal) => ServerErrors.Unreachable(location), // connection exceptions
        _ when code.StartsWith("28", StringComparison.Ordinal) => ServerErrors.Refused(location, message), // invalid authorization
        _ when IsAboutValue(code) => ServerErrors.RefusedValue(location, message),
        _ => ServerErrors.Failed(location, message),
    };

    // Data exceptions (a character that the encoding lacks is one), violations of constraints, a row or index entry that is too large, and
    // what a trigger raises.
    private static bool IsAboutValue(string code) =>
        code is "54000" or "P0001"
        || code.StartsWith("22", StringComparison.Ordinal)
        || code.StartsWith("23", StringComparison.Ordinal);
}
