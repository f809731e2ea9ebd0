using System.Buffers;
using System.Text;
using Microsoft.Data.Sqlite;
using SQLitePCL;

namespace PlayChat.Storage.Sqlite;

/// <summary>A statement without result rows that is prepared once and run many times, by SQLite's own functions.</summary>
/// <remarks>
/// The driver's command boxes every value, and makes a reader for each run: five objects and more a row, and twice SQLite's own time. For
/// one thread; the transaction is the connection's.
/// </remarks>
internal sealed class SqliteStatement : IDisposable
{
    private const int InitialTextBytes = 4 * 1024;

    private readonly sqlite3 _database;
    private readonly sqlite3_stmt _statement;
    private byte[] _text = ArrayPool<byte>.Shared.Rent(InitialTextBytes);

    /// <summary>Prepares it.</summary>
    /// <param name="connection">Open.</param>
    /// <param name="sql">One statement; its parameters are numbered from 1 in the order of their names' first appearance.</param>
    /// <exception cref="SqliteException">SQLite refuses it.</exception>
    public SqliteStatement(SqliteConnection connection, string sql)
    {
        _database = connection.Handle!;
        Check(raw.sqlite3_prepare_v2(_database, sql, out _statement));
    }

    public void Bind(int parameter, long? value) => Check(value is { } number
        ? raw.sqlite3_bind_int64(_statement, parameter, number)
        : raw.sqlite3_bind_null(_statement, parameter));

    /// <summary>Sets a parameter; SQLite keeps a copy.</summary>
    public void Bind(int parameter, string? value)
    {
        if (value is null)
        {
            Check(raw.sqlite3_bind_null(_statement, parameter));
            return;
        }
        if (value.Length == 0)
        {
            Check(raw.sqlite3_bind_text(_statement, parameter, value)); // an empty span would be NULL
            return;
        }
        int most = Encoding.UTF8.GetMaxByteCount(value.Length);
        if (_text.Length < most)
        {
            ArrayPool<byte>.Shared.Return(_text);
            _text = ArrayPool<byte>.Shared.Rent(most);
        }
        int length = Encoding.UTF8.GetBytes(value, _text);
        Check(raw.sqlite3_bind_text(_statement, parameter, _text.AsSpan(0, length)));
    }

    /// <summary>Runs it with what is bound.</summary>
    /// <returns>How many rows it changed.</returns>
    /// <exception cref="SqliteException">SQLite refuses it.</exception>
    public int Execute()
    {
        int result = raw.sqlite3_step(_statement);
        if (result != raw.SQLITE_DONE)
        {
            Check(result);
        }
        int changed = raw.sqlite3_changes(_database);
        Check(raw.sqlite3_reset(_statement));
        return changed;
    }

    public void Dispose()
    {
        _statement.Dispose();
        ArrayPool<byte>.Shared.Return(_text);
    }

    private void Check(int result)
    {
        if (result != raw.SQLITE_OK)
        {
            SqliteException.ThrowExceptionForRC(result, _database);
        }
    }
}
