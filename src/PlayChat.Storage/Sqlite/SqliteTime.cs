namespace PlayChat.Storage.Sqlite;

/// <summary>Times as the database holds them: microseconds since 1970-01-01 UTC.</summary>
internal static class SqliteTime
{
    public static long ToStored(DateTimeOffset time) => (time.UtcTicks - DateTimeOffset.UnixEpoch.Ticks) / TimeSpan.TicksPerMicrosecond;

    public static DateTimeOffset FromStored(long microseconds) => DateTimeOffset.UnixEpoch.AddTicks(microseconds * TimeSpan.TicksPerMicrosecond);
}
