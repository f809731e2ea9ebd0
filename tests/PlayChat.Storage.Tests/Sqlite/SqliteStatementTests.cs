using Microsoft.Data.Sqlite;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Storage.Tests.Sqlite;

public sealed class SqliteStatementTests : IDisposable
{
    private readonly SqliteConnection _connection = new("Data Source=:memory:");

    public SqliteStatementTests()
    {
        SQLitePCL.Batteries_V2.Init();
        _connection.Open();
        using SqliteCommand create = _connection.CreateCommand();
        create.CommandText = "CREATE TABLE t (number INTEGER, text TEXT NOT NULL, other TEXT, UNIQUE (number))";
        create.ExecuteNonQuery();
    }

    public void Dispose() => _connection.Dispose();

    [Theory]
    [InlineData("")]
    [InlineData("a")]
    [InlineData("grüße 😀")]
    public void What_is_bound_is_what_is_stored(string text)
    {
        using var insert = new SqliteStatement(_connection, "INSERT INTO t VALUES (@number, @text, @other)");
        insert.Bind(1, long.MinValue);
        insert.Bind(2, text);
        insert.Bind(3, (string?)null);

        int changed = insert.Execute();

        Assert.Equal(1, changed);
        using SqliteDataReader row = Read();
        Assert.True(row.Read());
        Assert.Equal(long.MinValue, row.GetInt64(0));
        Assert.Equal(text, row.GetString(1));
        Assert.True(row.IsDBNull(2));
    }

    [Fact]
    public void It_runs_again_with_other_values_longer_than_its_first_buffer()
    {
        string longText = new('x', 100_000);
        using var insert = new SqliteStatement(_connection, "INSERT INTO t VALUES (@number, @text, NULL) ON CONFLICT DO NOTHING");
        int changed = 0;
        for (int i = 0; i < 3; i++)
        {
            insert.Bind(1, i / 2); // the second has the first's number
            insert.Bind(2, i == 2 ? longText : "short");
            changed += insert.Execute();
        }

        Assert.Equal(2, changed);
        using SqliteDataReader rows = Read();
        Assert.True(rows.Read());
        Assert.True(rows.Read());
        Assert.Equal(longText, rows.GetString(1));
    }

    [Fact]
    public void What_the_database_refuses_is_thrown()
    {
        using var insert = new SqliteStatement(_connection, "INSERT INTO t VALUES (@number, @text, NULL)");
        insert.Bind(1, 1);
        insert.Bind(2, (string?)null);

        SqliteException refused = Assert.Throws<SqliteException>(() => insert.Execute());
        Assert.Throws<SqliteException>(() => new SqliteStatement(_connection, "INSERT INTO nowhere VALUES (1)"));

        Assert.Equal(SQLitePCL.raw.SQLITE_CONSTRAINT, refused.SqliteErrorCode);
    }

    private SqliteDataReader Read()
    {
        SqliteCommand select = _connection.CreateCommand();
        select.CommandText = "SELECT number, text, other FROM t ORDER BY number";
        return select.ExecuteReader();
    }
}
