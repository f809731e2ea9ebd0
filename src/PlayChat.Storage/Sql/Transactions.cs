using Microsoft.Data.Sqlite;
using SQLitePCL;

namespace PlayChat.Storage.Sql;

/// <summary>Runs work in a transaction, so that the error that ended the work is the one that the caller gets.</summary>
/// <remarks>
/// A driver's transaction rolls back when it is disposed. Where the database has rolled back already, as SQLite does when a commit finds
/// the disk full, that fails with an error of its own ("cannot rollback"), which would take the place of the first.
/// </remarks>
internal static class Transactions
{
    /// <summary>Does the work and commits it, or rolls back.</summary>
    public static async Task<T> RunAsync<TTransaction, T>(ValueTask<TTransaction> beginning, Func<TTransaction, Task<T>> work)
        where TTransaction : DbTransaction
    {
        TTransaction transaction = await beginning.ConfigureAwait(false);
        T result;
        try
        {
            result = await work(transaction).ConfigureAwait(false);
            await transaction.CommitAsync().ConfigureAwait(false);
        }
        catch
        {
            await RollBackAsync(transaction).ConfigureAwait(false);
            throw;
        }

        await transaction.DisposeAsync().ConfigureAwait(false);
        return result;
    }

    /// <summary>Rolls back if a transaction is open, by SQLite's own function, whose failure does not take the place of an error.</summary>
    public static void RollBack(SqliteConnection connection)
    {
        if (raw.sqlite3_get_autocommit(connection.Handle) == 0)
        {
            raw.sqlite3_exec(connection.Handle, "ROLLBACK");
        }
    }

    private static async ValueTask RollBackAsync(DbTransaction transaction)
    {
        SqliteConnection? sqlite = (transaction as SqliteTransaction)?.Connection;
        if (sqlite is not null && raw.sqlite3_get_autocommit(sqlite.Handle) != 0)
        {
            // SQLite has rolled back. The driver ends its transaction by a rollback that succeeds alone, so it gets one to roll back:
            // otherwise even the end of the connection would throw.
            raw.sqlite3_exec(sqlite.Handle, "BEGIN");
        }

        try
        {
            await transaction.DisposeAsync().ConfigureAwait(false); // rolls back, unless it is committed or the connection is broken
        }
        catch (Exception exception) when (exception is DbException or InvalidOperationException)
        {
            // The database has rolled back, or rolls back when the connection has ended. The caller gets the first error.
        }

        if (sqlite is not null)
        {
            // The driver hears of a rollback inside a statement, and then makes none of its own. What it left open would take the next
            // writes of this connection with it, and never commit them.
            RollBack(sqlite);
        }
    }
}
