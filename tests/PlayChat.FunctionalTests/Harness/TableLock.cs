using Npgsql;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>Holds a table of PostgreSQL, so that every other program that uses it waits: a database that hangs.</summary>
internal sealed class TableLock : IAsyncDisposable
{
    private readonly PostgresSpace _space;
    private readonly NpgsqlConnection _connection;
    private readonly string _table;

    private TableLock(PostgresSpace space, string table)
    {
        _space = space;
        _table = table;
        _connection = new NpgsqlConnection(space.ConnectionString);
    }

    /// <summary>Takes it, and keeps it until <see cref="DisposeAsync"/>.</summary>
    public static async Task<TableLock> TakeAsync(PostgresSpace space, string table)
    {
        var held = new TableLock(space, table);
        await held._connection.OpenAsync();
        await using NpgsqlCommand command = held._connection.CreateCommand();
        command.CommandText = $"BEGIN; LOCK TABLE {table}";
        await command.ExecuteNonQueryAsync();
        return held;
    }

    /// <summary>Waits until another connection waits for it.</summary>
    public async Task WaitUntilWantedAsync()
    {
        string waiting = $"SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = '{_table}'::regclass";
        using var hang = new CancellationTokenSource(TestTimeouts.Hang);
        while (await _space.ExecuteAsync(waiting) is 0L)
        {
            hang.Token.ThrowIfCancellationRequested(); // each look is a round trip to the database
        }
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _connection.DisposeAsync();
}
