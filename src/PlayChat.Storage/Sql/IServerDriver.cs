namespace PlayChat.Storage.Sql;

/// <summary>A driver for a database server: where connections come from, and what its errors mean.</summary>
internal interface IServerDriver : IAsyncDisposable
{
    /// <summary>Server and database, without credentials.</summary>
    string Location { get; }

    /// <summary>A closed connection; opening it takes one from the driver's pool.</summary>
    DbConnection CreateConnection();

    /// <summary>A closed connection that is not of the pool, for a lock that lasts as long as it.</summary>
    DbConnection CreateSession();

    /// <summary>
    /// Closes the idle connections of the pool, and those in use when they are returned: what broke one connection has often broken all.
    /// </summary>
    /// <param name="connection">One of them.</param>
    void ClearIdle(DbConnection connection);

    /// <summary>What an error means; null when it is none of the driver's.</summary>
    /// <param name="exception">What was thrown.</param>
    /// <param name="isOpening">Whether the connection was being opened, so that nothing has been done yet.</param>
    ServerError? Explain(Exception exception, bool isOpening);
}
