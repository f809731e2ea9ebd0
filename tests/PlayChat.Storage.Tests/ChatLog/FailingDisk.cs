using PlayChat.Storage.ChatLog;
using SQLitePCL;

namespace PlayChat.Storage.Tests.ChatLog;

/// <summary>Makes the SQLite file of a spill fail as if its disk did. Any thread may call it.</summary>
internal static class FailingDisk
{
    private const int SqlLength = 1; // SQLITE_LIMIT_SQL_LENGTH
    private static readonly Dictionary<bool, int> s_sqlLengths = new() { [true] = 1, [false] = 1_000_000 };

    /// <summary>Has every write fail, or none.</summary>
    public static void RefuseWrites(this ChatLogSpill spill, bool refuse) =>
        Assert.Equal(raw.SQLITE_OK, raw.sqlite3_exec(spill.Connection.Handle, $"PRAGMA query_only = {(refuse ? 1 : 0)}"));

    /// <summary>Has every statement fail, or none.</summary>
    public static void RefuseEverything(this ChatLogSpill spill, bool refuse) =>
        raw.sqlite3_limit(spill.Connection.Handle, SqlLength, s_sqlLengths[refuse]);
}
