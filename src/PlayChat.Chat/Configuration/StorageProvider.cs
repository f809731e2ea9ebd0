namespace PlayChat.Chat.Configuration;

/// <summary>Where accounts and the chat log are kept: <c>Storage:Provider</c>.</summary>
internal enum StorageProvider
{
    /// <summary>An embedded database in a file.</summary>
    Sqlite = 0,

    /// <summary>A Microsoft SQL Server.</summary>
    SqlServer = 1,

    /// <summary>A PostgreSQL server.</summary>
    Postgres = 2,
}
