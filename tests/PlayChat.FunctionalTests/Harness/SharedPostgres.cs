using Npgsql;
using PlayChat.FunctionalTests.Harness;
using PlayChat.TestUtilities.Processes;

[assembly: AssemblyFixture(typeof(SharedPostgres))]

namespace PlayChat.FunctionalTests.Harness;

/// <summary>A PostgreSQL server for all tests that neither stop nor configure it, each with a database of its own. The first of them
/// starts it.</summary>
public sealed class SharedPostgres : IAsyncDisposable
{
    // Of several clusters at once; a node uses up to 23.
    private const int MaxConnections = 400;

    private readonly SemaphoreSlim _starting = new(1);
    private PostgresServer? _server;

    /// <summary>Creates an empty database.</summary>
    /// <returns>How to reach it.</returns>
    public async Task<string> CreateDatabaseAsync()
    {
        var settings = new NpgsqlConnectionStringBuilder((await GetServerAsync()).ConnectionString);
        string name = $"test_{Guid.NewGuid():N}";
        await using var source = NpgsqlDataSource.Create(settings);
        await using NpgsqlCommand command = source.CreateCommand($"CREATE DATABASE {name}");
        await command.ExecuteNonQueryAsync();
        settings.Database = name;
        return settings.ConnectionString;
    }

    public async ValueTask DisposeAsync()
    {
        if (_server is not null)
        {
            await _server.DisposeAsync();
        }

        _starting.Dispose();
    }

    private async Task<PostgresServer> GetServerAsync()
    {
        await _starting.WaitAsync();
        try
        {
            return _server ??= await PostgresServer.StartNewAsync(MaxConnections);
        }
        finally
        {
            _starting.Release();
        }
    }
}
