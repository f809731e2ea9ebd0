using System.Data;
using Microsoft.Data.Sqlite;
using Npgsql;
using NpgsqlTypes;
using PlayChat.Storage.Sql;

namespace PlayChat.Storage.Tests.Sql;

public sealed class StoredTimeTests
{
    private static readonly DateTimeOffset s_time = new DateTimeOffset(2024, 3, 1, 8, 0, 0, TimeSpan.FromHours(9)).AddTicks(1_234_567);

    [Fact]
    public void PostgreSQL_gets_it_as_a_time_with_zone_in_utc()
    {
        var parameter = new NpgsqlParameter();

        new StoredTime.Handler().SetValue(parameter, new StoredTime(s_time));

        Assert.Equal(NpgsqlDbType.TimestampTz, parameter.NpgsqlDbType);
        Assert.Equal(s_time.UtcDateTime.AddTicks(-7), parameter.Value);
        Assert.Equal(DateTimeKind.Utc, ((DateTime)parameter.Value!).Kind);
    }

    [Fact]
    public void SQLite_gets_it_as_microseconds()
    {
        var parameter = new SqliteParameter();

        new StoredTime.Handler().SetValue(parameter, new StoredTime(s_time));

        Assert.Equal(DbType.Int64, parameter.DbType);
        Assert.Equal(1_709_247_600_123_456L, parameter.Value);
    }

    [Fact]
    public void It_is_read_from_whatever_a_driver_gives()
    {
        var handler = new StoredTime.Handler();
        var expected = new StoredTime(s_time);

        Assert.Equal(expected, handler.Parse(expected.Microseconds));
        Assert.Equal(expected, handler.Parse(DateTime.SpecifyKind(expected.Utc, DateTimeKind.Unspecified)));
        Assert.Equal(expected, handler.Parse(expected.Utc));
        Assert.Equal(new StoredTime(DateTimeOffset.UnixEpoch.AddMicroseconds(-1)), handler.Parse(-1L));
    }
}
