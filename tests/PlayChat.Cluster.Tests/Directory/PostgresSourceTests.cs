using Npgsql;
using PlayChat.Cluster.Postgres;

namespace PlayChat.Cluster.Tests.Directory;

/// <summary>What needs no server.</summary>
public sealed class PostgresSourceTests
{
    [Theory]
    [InlineData("57P01", true)]
    [InlineData("57P05", true)]
    [InlineData("25P03", true)]
    [InlineData("25P04", true)]
    [InlineData("25006", true)]
    [InlineData("08P01", true)]
    [InlineData("40P01", true)]
    [InlineData("57014", false)]
    [InlineData("53300", false)]
    public void Work_on_a_connection_that_the_server_has_ended_is_done_again(string code, bool expected)
    {
        Assert.Equal(expected, PostgresSource.IsPassing(new PostgresException("text", "FATAL", "FATAL", code)));
    }

    [Theory]
    [InlineData("Host=db", 30)]
    [InlineData("Host=db;Keepalive=0", 0)]
    public void An_idle_connection_is_kept_alive_unless_the_connection_string_says_otherwise(string connectionString, int expected)
    {
        Assert.Equal(expected, PostgresSource.Parse(connectionString).KeepAlive);
    }
}
