using Microsoft.Data.Sqlite;
using PlayChat.Storage;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Players.Tests;

public sealed class SqlitePlayerStoreTests : PlayerStoreContractTests
{
    private readonly TemporaryDirectory _folder = new();

    private string DatabasePath => _folder.Combine("sub", "players.db");

    [Fact]
    public async Task A_file_of_another_program_is_left_alone()
    {
        string path = _folder.Combine("theirs.db");
        await ExecuteAsync(path, "CREATE TABLE player_document (theirs integer)");
        await using PlayerStore store = PlayerStore.OnSqlite(new SqliteStoreOptions { Path = path });

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => store.InitializeAsync());

        Assert.Equal(StorageErrorKind.NotADatabase, error.Kind);
    }

    [Fact]
    public void Options_out_of_range_are_refused_with_the_range()
    {
        StorageException size = Assert.Throws<StorageException>(() => Open(new PlayerStoreOptions { MaxValueBytes = 0 }));
        StorageException age = Assert.Throws<StorageException>(() => Open(new PlayerStoreOptions { TransactionKeyLifetime = default }));

        Assert.Equal((StorageErrorKind.InvalidOption, "MaxValueBytes is 0; allowed is 1 to 16777216."), (size.Kind, size.Message));
        Assert.Contains("TransactionKeyLifetime is 00:00:00", age.Message, StringComparison.Ordinal);
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        _folder.Dispose();
    }

    protected override PlayerStore Open(PlayerStoreOptions? options) =>
        PlayerStore.OnSqlite(new SqliteStoreOptions { Path = DatabasePath }, Options(options));

    protected override IChatStore OpenChat() => new SqliteChatStore(new SqliteStoreOptions { Path = DatabasePath });

    protected override async Task RemoveDatabaseAsync()
    {
        await Store.DisposeAsync();
        foreach (string file in Directory.GetFiles(Path.GetDirectoryName(DatabasePath)!))
        {
            File.Delete(file);
        }
    }

    protected override Task ExecuteAsync(string sql) => ExecuteAsync(DatabasePath, sql);

    private static async Task ExecuteAsync(string path, string sql)
    {
        await using var connection = new SqliteConnection($"Data Source={path};Pooling=False");
        await connection.OpenAsync();
        await using SqliteCommand command = connection.CreateCommand();
        command.CommandText = sql;
        await command.ExecuteNonQueryAsync();
    }
}
