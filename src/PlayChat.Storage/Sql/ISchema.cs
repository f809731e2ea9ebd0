namespace PlayChat.Storage.Sql;

/// <summary>How a database is brought up to this program's version: what <see cref="SchemaMigration"/> asks of a provider.</summary>
internal interface ISchema
{
    /// <summary>Step n brings a database from version n to n + 1. Released steps never change; new ones come at the end.</summary>
    IReadOnlyList<string> Migrations { get; }

    /// <summary>Keeps every other program from migrating until the transaction ends.</summary>
    /// <exception cref="StorageException">Another one holds the lock too long.</exception>
    Task LockAsync(DbConnection connection, DbTransaction transaction);

    /// <summary>The version of what is there; 0 for nothing.</summary>
    /// <exception cref="StorageException">It is another program's.</exception>
    Task<int> ReadVersionAsync(DbConnection connection, DbTransaction transaction);

    Task WriteVersionAsync(DbConnection connection, DbTransaction transaction, int version);

    /// <summary>What to say of a database that is newer than the program.</summary>
    StorageException Newer(int found, int known);
}
