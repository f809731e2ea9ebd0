using System.Data;
using System.Runtime.CompilerServices;
using Microsoft.Data.SqlClient;
using Microsoft.Data.Sqlite;

namespace PlayChat.Storage.Sql;

/// <summary>A time as databases hold it: UTC, to the microsecond. Dapper reads and writes it in each driver's own way.</summary>
/// <remarks>
/// A type of our own, because Dapper's mapping of <see cref="DateTime"/> is one for the whole process: as <c>datetime</c> SQL Server would
/// round it to 3 ms, and as <c>DateTime2</c> PostgreSQL's driver would refuse it as UTC.
/// </remarks>
internal readonly record struct StoredTime
{
    static StoredTime() => SqlMapper.AddTypeHandler(new Handler());

    public StoredTime(DateTimeOffset time) =>
        Value = new DateTimeOffset(time.UtcTicks - (time.UtcTicks % TimeSpan.TicksPerMicrosecond), TimeSpan.Zero);

    public DateTimeOffset Value { get; }

    /// <summary>For binary copies: UTC, to the microsecond.</summary>
    public DateTime Utc => Value.UtcDateTime;

    /// <summary>Microseconds since 1970-01-01 UTC.</summary>
    public long Microseconds => (Value.UtcTicks - DateTimeOffset.UnixEpoch.Ticks) / TimeSpan.TicksPerMicrosecond;

    public static StoredTime FromMicroseconds(long microseconds) =>
        new(DateTimeOffset.UnixEpoch.AddTicks(microseconds * TimeSpan.TicksPerMicrosecond));

    /// <summary>Makes Dapper know the type; safe to call again.</summary>
    public static void Register()
    {
        // The static constructor has done it.
    }

    internal sealed class Handler : SqlMapper.TypeHandler<StoredTime>
    {
        public override void SetValue(IDbDataParameter parameter, StoredTime value)
        {
            if (parameter is SqliteParameter)
            {
                parameter.DbType = DbType.Int64;
                parameter.Value = value.Microseconds;
            }
            else
            {
                parameter.DbType = ServerType(parameter);
                parameter.Value = value.Utc;
            }
        }

        public override StoredTime Parse(object value) => value is long microseconds
            ? FromMicroseconds(microseconds)
            : new StoredTime(new DateTimeOffset(DateTime.SpecifyKind((DateTime)value, DateTimeKind.Utc)));

        // By itself: a program with SQLite alone then never loads the other drivers. What PostgreSQL's calls DateTime is timestamptz.
        [MethodImpl(MethodImplOptions.NoInlining)]
        private static DbType ServerType(IDbDataParameter parameter) => parameter is SqlParameter ? DbType.DateTime2 : DbType.DateTime;
    }
}
