using System.Diagnostics;
using Microsoft.Data.Sqlite;
using SQLitePCL;

namespace PlayChat.Storage.Sqlite;

/// <summary>While it exists, statements of a connection that begin before a time is over end soon after it, with
/// <c>SQLITE_INTERRUPT</c>.</summary>
internal readonly struct SqliteTimeLimit : IDisposable
{
    private const int StepsBetweenLooks = 100; // at the clock

    private readonly SqliteConnection _connection;

    public SqliteTimeLimit(SqliteConnection connection, TimeSpan limit)
    {
        _connection = connection;
        long began = Stopwatch.GetTimestamp();
        raw.sqlite3_progress_handler(
            connection.Handle, StepsBetweenLooks, _ => Stopwatch.GetElapsedTime(began) >= limit ? 1 : 0, null);
    }

    public void Dispose() => raw.sqlite3_progress_handler(_connection.Handle, 0, null, null);
}
