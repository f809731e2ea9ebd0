namespace PlayChat.Storage.Sql;

/// <summary>Builds the error texts that all database servers share.</summary>
internal static class ServerErrors
{
    public static ServerError PoolExhausted(string location) => new(
        StorageErrorKind.Busy,
        $"No connection to the {location} came free in time: the database is slow, or its connection string allows too few (Max Pool "
            + $"Size).",
        IsAcquireTimeout: true);

    public static ServerError Unreachable(string location) => new(
        StorageErrorKind.Unavailable,
        $"The {location} is unreachable: check that it runs, and that host and port in Storage:ConnectionString are correct.",
        IsTransient: true);

    /// <summary>After a failover an idle connection of the pool may lead to the old primary.</summary>
    public static ServerError ReadOnly(string location) => new(
        StorageErrorKind.Unavailable,
        $"The {location} takes no changes: it is read-only, as a standby is. Check that Storage:ConnectionString leads to the primary.",
        IsTransient: true);

    public static ServerError NoAnswer(string location) => new(
        StorageErrorKind.Unavailable,
        $"The {location} did not answer in time: it is overloaded, or unreachable from this machine.");

    public static ServerError Busy(string location) => new(
        StorageErrorKind.Busy, $"The {location} is busy with other work: try again.", IsTransient: true);

    public static ServerError TooManyConnections(string location, string reason) => new(
        StorageErrorKind.Busy,
        $"The {location} refuses another connection: {reason}. Raise its limit (PostgreSQL: max_connections), or allow each server fewer "
            + $"(Maximum Pool Size in Storage:ConnectionString).",
        IsTransient: true);

    public static ServerError DiskFull(string location) => new(
        StorageErrorKind.DiskFull, $"There is no space left for the {location}: free some on its disk.");

    public static ServerError TooLong(string location) => new(
        StorageErrorKind.TooLong, $"A value is longer than the {location} has room for.");

    public static ServerError RefusedValue(string location, string reason) => new(
        StorageErrorKind.RefusedValue, $"The {location} does not take a value: {reason}.");

    public static ServerError Foreign(string location) => new(
        StorageErrorKind.NotADatabase, $"The {location} holds tables of another program: give PlayChat a database of its own.");

    public static ServerError Refused(string location, string reason) => new(
        StorageErrorKind.Refused, $"The {location} refuses: {reason}");

    public static ServerError Failed(string location, string reason) => new(
        StorageErrorKind.Failed, $"The {location} failed: {reason}");

    public static StorageException Owned(string location, DatabaseOwner? owner) => new(
        StorageErrorKind.Owned,
        $"The {location} belongs to another server ({owner?.ToString() ?? "of unknown name"}): stop that server, or give this one a "
            + $"database of its own (Storage:ConnectionString). If that server's machine has failed, try again in half a minute.");

    public static StorageException Newer(string location, int found, int known) => new(
        StorageErrorKind.NewerSchema,
        $"The {location} has schema version {found}, this program knows versions up to {known}: start a newer version of the program, or "
            + $"choose another database.");

    public static StorageException Encoding(string location, string encoding) => new(
        StorageErrorKind.Refused,
        $"The {location} has the encoding {encoding}, which does not have every character of a name or message. Create a database with "
            + $"CREATE DATABASE playchat ENCODING 'UTF8' TEMPLATE template0, and move the data there with pg_dump and pg_restore.");

    /// <summary>The text of the connection string, and the driver's words on it, may hold a piece of the password: neither is
    /// repeated.</summary>
    public static StorageException BadConnectionString(string server, string example) => new(
        StorageErrorKind.InvalidOption,
        $"The connection string is none for {server}: it is made of KEY=VALUE pairs with ; between them, such as {example}. A value that "
            + $"holds ; or = stands in quotes.");
}
