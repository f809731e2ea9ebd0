using PlayChat.Storage;
using PlayChat.Storage.Postgres;

namespace PlayChat.Players.Tests;

/// <summary>On the server that PLAYCHAT_TEST_POSTGRES names, each test in a schema of its own.</summary>
public sealed class PostgresPlayerStoreTests : PlayerStoreContractTests
{
    private PostgresSpace _space = null!;

    public override async ValueTask InitializeAsync()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        _space = await PostgresSpace.CreateAsync();
        await base.InitializeAsync();
    }

    [Fact]
    public async Task Connections_that_the_server_has_cut_are_replaced_without_an_error()
    {
        await PutAsync(Key("ada"), "1");
        await _space.ExecuteAsync(
            $"SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '{_space.Name}' AND pid <> "
                + "pg_backend_pid()");

        await PutAsync(Key("ada"), "2");

        Assert.Equal("2", await ReadAsync(Key("ada")));
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        if (_space is not null)
        {
            await _space.DisposeAsync();
        }
    }

    protected override PlayerStore Open(PlayerStoreOptions? options) => PlayerStore.OnPostgres(_space.ConnectionString, Options(options));

    protected override IChatStore OpenChat() => new PostgresChatStore(_space.ConnectionString);

    protected override Task RemoveDatabaseAsync() => _space.ClearAsync();

    protected override Task ExecuteAsync(string sql) => _space.ExecuteAsync(sql);
}
