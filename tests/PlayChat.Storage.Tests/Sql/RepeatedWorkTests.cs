using System.Data.Common;
using PlayChat.Storage.Sql;
using PlayChat.Storage.Sqlite;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.Sql;

/// <summary>Work that was committed although the answer was lost, so a store on a database server does it again.</summary>
public sealed class RepeatedWorkTests
{
    private static readonly DateTimeOffset s_now = new(2024, 2, 29, 23, 59, 58, TimeSpan.Zero);

    [Fact]
    public async Task Direct_messages_that_were_committed_are_stored_once_and_are_no_duplicates()
    {
        using var folder = new TemporaryDirectory();
        await using var once = new SqliteChatStore(new SqliteStoreOptions { Path = folder.Combine("chat.db") });
        await once.InitializeAsync(TestContext.Current.CancellationToken);
        long mina = (await once.CreateAccountAsync("mina", null, s_now, TestContext.Current.CancellationToken)).Account.Id;
        long jun = (await once.CreateAccountAsync("jun", null, s_now, TestContext.Current.CancellationToken)).Account.Id;
        await using var twice = new RepeatingStore(once);
        await twice.InitializeAsync(TestContext.Current.CancellationToken);
        var known = new DirectMessage(jun, mina, "known", s_now, "jun", ClientMessageId: 5);
        var unnumbered = new DirectMessage(jun, mina, "no id", s_now, "jun");
        DirectMessage numbered = known with { Text = "id", ClientMessageId = 6 };
        await once.Direct.AppendAsync([known], TestContext.Current.CancellationToken);

        IReadOnlyList<DirectOutcome> outcomes = await twice.Direct.AppendAsync(
            [known, numbered, numbered, unnumbered, unnumbered, unnumbered with { ToId = 999 }], TestContext.Current.CancellationToken);

        Assert.Equal(
            [
                new(DirectStatus.Duplicate, 1), new(DirectStatus.Stored, 2), new(DirectStatus.Duplicate, 2), new(DirectStatus.Stored, 3),
                new(DirectStatus.Stored, 4), new(DirectStatus.Unknown),
            ],
            outcomes);
        Assert.Equal(
            ["known", "id", "no id", "no id"],
            (await once.Direct.ReadAfterAsync(mina, jun, 0, 10, TestContext.Current.CancellationToken)).Select(static said => said.Text),
            StringComparer.Ordinal);
    }

    /// <summary>Does all work twice, on the connections of another store.</summary>
    private sealed class RepeatingStore(SqliteChatStore store) : DatabaseStore(SqliteSql.Store)
    {
        public override string Name => store.Name;

        public override string Location => store.Location;

        internal override Task<T> ConnectAsync<T>(
            Func<DbConnection, Task<T>> work, bool isWrite, CancellationToken cancellationToken) =>
            store.ConnectAsync(
                async connection =>
                {
                    await work(connection);
                    return await work(connection);
                },
                isWrite,
                cancellationToken);

        private protected override Task MigrateAsync(DbConnection connection) => Task.CompletedTask; // the other store has done it

        private protected override Task<int> AppendAsync(DbConnection connection, IReadOnlyList<ChatRecord> records) =>
            throw new NotSupportedException();

        private protected override ValueTask CloseAsync() => ValueTask.CompletedTask;

        private protected override IOwnerLock CreateOwnerLock() => throw new NotSupportedException();

        private protected override StorageException OwnedBy(DatabaseOwner? owner) => throw new NotSupportedException();
    }
}
