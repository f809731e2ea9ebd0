using System.Data.Common;
using System.Net;
using System.Net.Sockets;
using Npgsql;
using PlayChat.Storage.Postgres;
using PlayChat.Storage.Sql;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Storage.Tests.Postgres;

/// <summary>What needs no server.</summary>
public sealed class PostgresErrorTests
{
    [Theory]
    [InlineData("40001", StorageErrorKind.Busy, true)]
    [InlineData("40P01", StorageErrorKind.Busy, true)]
    [InlineData("53300", StorageErrorKind.Busy, true)]
    [InlineData("57P01", StorageErrorKind.Unavailable, true)]
    [InlineData("57P03", StorageErrorKind.Unavailable, true)]
    [InlineData("57P05", StorageErrorKind.Unavailable, true)]
    [InlineData("25P03", StorageErrorKind.Unavailable, true)]
    [InlineData("25P04", StorageErrorKind.Unavailable, true)]
    [InlineData("25006", StorageErrorKind.Unavailable, true)]
    [InlineData("08P01", StorageErrorKind.Unavailable, true)]
    [InlineData("08006", StorageErrorKind.Unavailable, true)]
    [InlineData("57014", StorageErrorKind.Unavailable, false)]
    [InlineData("53100", StorageErrorKind.DiskFull, false)]
    [InlineData("22001", StorageErrorKind.TooLong, false)]
    [InlineData("22021", StorageErrorKind.RefusedValue, false)]
    [InlineData("22P05", StorageErrorKind.RefusedValue, false)]
    [InlineData("22012", StorageErrorKind.Failed, false)]
    [InlineData("23502", StorageErrorKind.Failed, false)]
    [InlineData("23505", StorageErrorKind.Failed, false)]
    [InlineData("23514", StorageErrorKind.Failed, false)]
    [InlineData("54000", StorageErrorKind.Failed, false)]
    [InlineData("P0001", StorageErrorKind.Failed, false)]
    [InlineData("42P07", StorageErrorKind.NotADatabase, false)]
    [InlineData("28P01", StorageErrorKind.Refused, false)]
    [InlineData("3D000", StorageErrorKind.Refused, false)]
    [InlineData("42601", StorageErrorKind.Failed, false)]
    public void A_code_says_what_failed_and_whether_it_passes(string code, StorageErrorKind kind, bool isTransient)
    {
        ServerError? error = PostgresErrors.Explain(new PostgresException("text", "ERROR", "ERROR", code), "there");

        Assert.Equal((kind, isTransient, false), (error!.Value.Kind, error.Value.IsTransient, error.Value.IsAcquireTimeout));
    }

    [Fact]
    public void A_check_refuses_the_value_and_a_missing_partition_with_the_same_code_does_not()
    {
        var check = new PostgresException("text", "ERROR", "ERROR", "23514", constraintName: "chat_log_text_check");
        var partition = new PostgresException("no partition of relation \"chat_log\" found for row", "ERROR", "ERROR", "23514");

        Assert.Equal(StorageErrorKind.RefusedValue, PostgresErrors.Explain(check, "there")!.Value.Kind);
        Assert.Equal(StorageErrorKind.Failed, PostgresErrors.Explain(partition, "there")!.Value.Kind);
    }

    [Fact]
    public void A_refused_connection_names_the_limits()
    {
        ServerError? error = PostgresErrors.Explain(new PostgresException("too many clients already", "FATAL", "FATAL", "53300"), "db");

        Assert.StartsWith("The db refuses another connection: too many clients already.", error!.Value.Message, StringComparison.Ordinal);
        Assert.Contains("max_connections", error.Value.Message, StringComparison.Ordinal);
        Assert.Contains("Maximum Pool Size", error.Value.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_failure_that_is_not_the_drivers_is_not_explained()
    {
        Assert.Null(PostgresErrors.Explain(new NotSupportedException(), "there"));
    }

    [Fact]
    public async Task A_server_that_does_not_run_is_unavailable()
    {
        using var nobody = new RefusingPort();
        int port = nobody.EndPoint.Port;
        await using var store = new PostgresChatStore($"Host=127.0.0.1;Port={port};Username=u;Password=hunter2;Database=chat");

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => store.InitializeAsync());

        Assert.Equal(StorageErrorKind.Unavailable, error.Kind);
        Assert.Contains($"PostgreSQL database 'chat' on 127.0.0.1:{port}", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("hunter2", error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Host=db", 30)]
    [InlineData("Host=db;Keepalive=0", 0)]
    public async Task An_idle_connection_is_kept_alive_unless_the_connection_string_says_otherwise(string connectionString, int expected)
    {
        await using var driver = new PostgresDriver(connectionString);
        await using DbConnection connection = driver.CreateConnection();
        await using DbConnection session = driver.CreateSession();

        Assert.All(
            [connection, session],
            opened => Assert.Equal(expected, new NpgsqlConnectionStringBuilder(opened.ConnectionString).KeepAlive));
    }

    [Theory]
    [InlineData("Host=localhost;Password=a;hunter2;b")]
    [InlineData("Host=localhost;Password=a;hunter2=b")]
    [InlineData("Password=hunter2")]
    [InlineData("")]
    public void A_connection_string_that_is_none_is_refused_without_repeating_it(string connectionString)
    {
        StorageException error = Assert.Throws<StorageException>(() => new PostgresChatStore(connectionString));

        Assert.Equal(StorageErrorKind.InvalidOption, error.Kind);
        Assert.DoesNotContain("hunter2", error.ToString(), StringComparison.Ordinal);
    }
}
