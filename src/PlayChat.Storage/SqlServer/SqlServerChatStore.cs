using Microsoft.Data.SqlClient;

namespace PlayChat.Storage.SqlServer;

/// <summary>The store on a SQL Server, 2017 or later. Its tables are made in the user's default schema.</summary>
/// <remarks>
/// The driver's pool does the pooling; its size and time-outs are keys of the connection string (<c>Max Pool Size</c>, <c>Connect
/// Timeout</c>).
/// The driver needs cultures: it does not work in a program with invariant globalization.
/// </remarks>
public sealed class SqlServerChatStore : ServerChatStore
{
    /// <summary>Creates the store. It connects first in <see cref="DatabaseStore.InitializeAsync"/>.</summary>
    /// <param name="connectionString">A connection string of Microsoft.Data.SqlClient. It appears in no log and no error text.</param>
    /// <exception cref="StorageException">The connection string is invalid, or names no server.</exception>
    public SqlServerChatStore(string connectionString)
        : this(new SqlServerDriver(connectionString))
    {
    }

    private SqlServerChatStore(SqlServerDriver driver)
        : base(driver, SqlServerSql.Store, new SqlServerSchema(driver.Location), SqlServerSql.TryLockOwner)
    {
    }

    /// <inheritdoc/>
    public override string Name => "SQL Server";

    private protected override Task<int> AppendAsync(DbConnection connection, IReadOnlyList<ChatRecord> records) =>
        SqlServerChatInsert.RunAsync((SqlConnection)connection, records, Fence);

    private protected override bool IsDuplicate(DbException exception) =>
        exception is SqlException error && SqlServerErrors.IsDuplicate(error.Number);
}
