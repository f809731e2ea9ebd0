using System.Net;
using System.Net.Sockets;
using Microsoft.Data.SqlClient;
using PlayChat.Storage.Sql;
using PlayChat.Storage.SqlServer;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Storage.Tests.SqlServer;

/// <summary>What needs no server.</summary>
public sealed class SqlServerErrorTests
{
    [Theory]
    [InlineData(1205, StorageErrorKind.Busy, true)]
    [InlineData(2627, StorageErrorKind.Busy, true)]
    [InlineData(2601, StorageErrorKind.Busy, true)]
    [InlineData(40501, StorageErrorKind.Busy, true)]
    [InlineData(40613, StorageErrorKind.Unavailable, true)]
    [InlineData(10054, StorageErrorKind.Unavailable, true)]
    [InlineData(53, StorageErrorKind.Unavailable, true)]
    [InlineData(-2, StorageErrorKind.Unavailable, false)]
    [InlineData(8152, StorageErrorKind.TooLong, false)]
    [InlineData(2628, StorageErrorKind.TooLong, false)]
    [InlineData(515, StorageErrorKind.Failed, false)]
    [InlineData(547, StorageErrorKind.Failed, false)]
    [InlineData(8115, StorageErrorKind.Failed, false)]
    [InlineData(50000, StorageErrorKind.Failed, false)]
    [InlineData(1105, StorageErrorKind.DiskFull, false)]
    [InlineData(9002, StorageErrorKind.DiskFull, false)]
    [InlineData(2714, StorageErrorKind.NotADatabase, false)]
    [InlineData(3906, StorageErrorKind.Unavailable, true)]
    [InlineData(18456, StorageErrorKind.Refused, false)]
    [InlineData(4060, StorageErrorKind.Refused, false)]
    [InlineData(102, StorageErrorKind.Failed, false)]
    public void A_number_says_what_failed_and_whether_it_passes(int number, StorageErrorKind kind, bool isTransient)
    {
        ServerError error = SqlServerErrors.ExplainNumber(number, "text", isOpening: false, "there");

        Assert.Equal((kind, isTransient, false), (error.Kind, error.IsTransient, error.IsAcquireTimeout));
    }

    [Theory]
    [InlineData("The INSERT statement conflicted with the CHECK constraint \"short\".", StorageErrorKind.RefusedValue)]
    [InlineData("The INSERT statement conflicted with the FOREIGN KEY constraint \"CHECK\".", StorageErrorKind.Failed)]
    public void A_check_refuses_the_value_and_a_foreign_key_with_the_same_number_does_not(string message, StorageErrorKind kind)
    {
        Assert.Equal(kind, SqlServerErrors.ExplainNumber(547, message, isOpening: false, "there").Kind);
    }

    [Fact]
    public void An_exhausted_pool_is_an_InvalidOperationException_and_only_while_opening()
    {
        var exception =
            new InvalidOperationException("Timeout expired. The timeout period elapsed prior to obtaining a connection from the pool.");

        Assert.Equal((StorageErrorKind.Busy, true), Describe(SqlServerErrors.Explain(exception, isOpening: true, "there")));
        Assert.Null(SqlServerErrors.Explain(exception, isOpening: false, "there"));

        static (StorageErrorKind, bool) Describe(ServerError? error) => (error!.Value.Kind, error.Value.IsAcquireTimeout);
    }

    [Fact]
    public async Task A_server_that_does_not_run_is_unavailable()
    {
        using var nobody = new RefusingPort();
        int port = nobody.EndPoint.Port;
        await using var store = new SqlServerChatStore(
            $"Server=tcp:127.0.0.1,{port};User Id=u;Password=hunter2;Database=chat;Connect Timeout=2;ConnectRetryCount=0");

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => store.InitializeAsync());

        Assert.IsType<SqlException>(error.InnerException);
        Assert.Equal(StorageErrorKind.Unavailable, error.Kind);
        Assert.Contains($"SQL Server database 'chat' on tcp:127.0.0.1,{port}", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("hunter2", error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Server=localhost;Password=a;hunter2;b")]
    [InlineData("Server=localhost;Password=a;hunter2=b")]
    [InlineData("Password=hunter2")]
    [InlineData("")]
    public void A_connection_string_that_is_none_is_refused_without_repeating_it(string connectionString)
    {
        StorageException error = Assert.Throws<StorageException>(() => new SqlServerChatStore(connectionString));

        Assert.Equal(StorageErrorKind.InvalidOption, error.Kind);
        Assert.DoesNotContain("hunter2", error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1, true)]
    [InlineData(-1, false)]
    [InlineData(-2, false)]
    [InlineData(-3, false)]
    [InlineData(-999, false)]
    public void Only_a_result_of_0_or_more_is_a_lock(int result, bool isLocked)
    {
        var schema = new SqlServerSchema("there");

        Exception? error = Record.Exception(() => schema.ThrowIfNotLocked(result));

        Assert.Equal(isLocked, error is null);
        Assert.True(isLocked || error is StorageException { Kind: StorageErrorKind.Busy });
    }
}
