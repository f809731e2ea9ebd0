namespace PlayChat.Cluster.Postgres;

/// <summary>The first keys of the advisory locks, as SQL: one of each kind for a schema, so that two clusters in one database do not share
/// locks.</summary>
/// <remarks>PostgreSQL's advisory locks are fair: a sweep or registration that waits is not overtaken by joins without end, which a row
/// lock would allow. Locks are taken in the order in which they stand here.</remarks>
internal static class PostgresLocks
{
    /// <summary>Creating and migrating the tables.</summary>
    public const string Schema = "hashtext(current_schema() || ' playchat schema')";

    /// <summary>One node: shared by its writes, alone for its registration and for declaring it lost. A sweep therefore sees all writes
    /// that were begun under the lease.</summary>
    public const string Node = "hashtext(current_schema() || ' playchat node')";

    /// <summary>One room's capacity, or its owner.</summary>
    public const string Room = "hashtext(current_schema() || ' playchat room')";

    /// <summary>One user's session.</summary>
    public const string User = "hashtext(current_schema() || ' playchat user')";
}
