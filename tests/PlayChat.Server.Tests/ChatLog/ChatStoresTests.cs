using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Configuration;
using PlayChat.Storage;
using PlayChat.Storage.Postgres;
using PlayChat.Storage.Sqlite;
using PlayChat.Storage.SqlServer;

namespace PlayChat.Server.Tests.ChatLog;

public sealed class ChatStoresTests
{
    [Theory]
    [InlineData(nameof(StorageProvider.Sqlite), "", typeof(SqliteChatStore))]
    [InlineData(nameof(StorageProvider.Postgres), "Host=db;Database=chat;Username=u;Password=hunter2", typeof(PostgresChatStore))]
    [InlineData(nameof(StorageProvider.SqlServer), "Server=db;Database=chat;User Id=u;Password=hunter2", typeof(SqlServerChatStore))]
    public async Task The_provider_says_which_store_there_is(string provider, string connectionString, Type expected)
    {
        await using IChatStore store = ChatStores.Create(Settings(provider, connectionString));

        Assert.IsType(expected, store);
        Assert.DoesNotContain("hunter2", store.Location, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(nameof(StorageProvider.Postgres), "", "Storage:Provider Postgres needs Storage:ConnectionString.")]
    [InlineData(nameof(StorageProvider.SqlServer), "", "Storage:Provider SqlServer needs Storage:ConnectionString.")]
    [InlineData(
        nameof(StorageProvider.Sqlite),
        "Password=hunter2",
        "Storage:ConnectionString is for the providers SqlServer and Postgres, "
            + "and Storage:Provider is Sqlite, whose file is Storage:Path.")]
    public void Settings_that_contradict_each_other_are_refused_without_the_secret(
        string provider, string connectionString, string expected)
    {
        StartException problem = Assert.Throws<StartException>(() => ChatStores.Create(Settings(provider, connectionString)));

        Assert.Equal(expected, problem.Message);
    }

    [Fact]
    public void The_server_runs_with_cultures_since_the_driver_of_SqlServer_refuses_to_work_without()
    {
        string configuration = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "PlayChat.Server.runtimeconfig.json"));

        Assert.Contains("\"System.Globalization.Invariant\": false", configuration, StringComparison.Ordinal);
    }

    private static StorageSettings Settings(string provider, string connectionString) => new()
    {
        Provider = Enum.Parse<StorageProvider>(provider),
        ConnectionString = connectionString,
        Path = "unused.db",
        MaxReaders = 1,
        BusyTimeout = TimeSpan.FromSeconds(1),
        AcquireTimeout = TimeSpan.FromSeconds(1),
    };
}
