using System.Net.Sockets;
using Npgsql;

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
        PostgresException { SqlState: PostgresErrorCodes.CheckViolation, ConstraintName: not null } error =>
            ServerErrors.RefusedValue(location, error.MessageText),
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
        PostgresErrorCodes.InvalidCatalogName or PostgresErrorCodes.InsufficientPrivilege => ServerErrors.Refused(location, message),
        PostgresErrorCodes.ReadOnlySqlTransaction => ServerErrors.ReadOnly(location),
        _ when code.StartsWith("08", StringComparison.Ordinal) => ServerErrors.Unreachable(location), // connection exceptions
        _ when code.StartsWith("28", StringComparison.Ordinal) => ServerErrors.Refused(location, message), // invalid authorization
        // The encoding lacks a character. Not so what a trigger raises, a missing partition (a check violation without a constraint) or a
        // column of another program: that is the table's fault, and passes when it is mended.
        PostgresErrorCodes.CharacterNotInRepertoire or PostgresErrorCodes.UntranslatableCharacter =>
            ServerErrors.RefusedValue(location, message),
        _ => ServerErrors.Failed(location, message),
    };
}
