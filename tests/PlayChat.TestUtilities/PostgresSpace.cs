using Npgsql;

namespace PlayChat.TestUtilities;

/// <summary>A schema of its own on the PostgreSQL server that <c>PLAYCHAT_TEST_POSTGRES</c> names; dropped at the end.</summary>
public sealed class PostgresSpace : IAsyncDisposable
{
    private const string Variable = "PLAYCHAT_TEST_POSTGRES";

    private readonly string _schema = $"test_{Guid.NewGuid():N}";

    private PostgresSpace(NpgsqlConnectionStringBuilder settings)
    {
        settings.SearchPath = _schema;
        settings.ApplicationName = _schema;
        settings.MaxPoolSize = 10; // the tests of several projects share the server
        ConnectionString = settings.ConnectionString;
    }

    /// <summary>Whether there is a server.</summary>
    public static bool IsAvailable => !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(Variable));

    /// <summary>Why tests without a server are skipped.</summary>
    public static string SkipReason => $"No PostgreSQL server is named: {Variable}=$(tools/postgres start) dotnet test";

    /// <summary>The space's name, which its connections bear as well.</summary>
    public string Name => _schema;

    /// <summary>For a store of its own: its tables are where no other test sees them.</summary>
    public string ConnectionString { get; }

    /// <summary>Makes the schema.</summary>
    public static async Task<PostgresSpace> CreateAsync()
    {
        var space = new PostgresSpace(new NpgsqlConnectionStringBuilder(Environment.GetEnvironmentVariable(Variable)));
        await space.ExecuteAsync($"CREATE SCHEMA {space._schema}");
        return space;
    }

    /// <summary>Drops all that is in it.</summary>
    public Task ClearAsync() => ExecuteAsync($"DROP SCHEMA {_schema} CASCADE; CREATE SCHEMA {_schema}");

    /// <summary>Runs a statement in it.</summary>
    /// <returns>The first value of the first row; null when there is none.</returns>
    public async Task<object?> ExecuteAsync(string sql)
    {
        await using var source = NpgsqlDataSource.Create(ConnectionString);
        await using NpgsqlCommand command = source.CreateCommand(sql);
        return await command.ExecuteScalarAsync();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await ExecuteAsync($"DROP SCHEMA {_schema} CASCADE");
}
