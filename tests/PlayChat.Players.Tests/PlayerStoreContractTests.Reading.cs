using PlayChat.Storage;

namespace PlayChat.Players.Tests;

public abstract partial class PlayerStoreContractTests
{
    [Fact]
    public async Task A_collection_is_listed_by_key_in_pages_and_by_prefix()
    {
        await Store.ExecuteAsync(
        [
            .. new[] { "b", "a/2", "a/10", "a/1", "a~", "A" }.Select(static key => PlayerWrite.Put(Key("ada", key), "x"u8)),
            PlayerWrite.Put(new DocumentKey("ada", "item", "a/3"), "x"u8),
            PlayerWrite.Put(Key("bob", "a/3"), "x"u8),
        ]);

        Assert.Equal("A a/1 a/10 a/2 a~ b", await ListAsync());
        Assert.Equal("a/1 a/10 a/2", await ListAsync(prefix: "a/"));
        Assert.Equal("a/1 a/10", await ListAsync(prefix: "a/", limit: 2));
        Assert.Equal("a/2", await ListAsync(prefix: "a/", after: "a/10", limit: 2));
        Assert.Equal("", await ListAsync(prefix: "c"));

        async Task<string> ListAsync(string prefix = "", string after = "", int limit = 100) =>
            string.Join(' ', (await Store.ListAsync("ada", "items", prefix, after, limit)).Select(static document => document.Key.Key));
    }

    [Fact]
    public async Task A_player_reads_only_what_it_owns_and_may_read()
    {
        await Store.ExecuteAsync(
        [
            PlayerWrite.Put(Key("ada", "shown"), "x"u8, ownerReadable: true),
            PlayerWrite.Put(Key("ada", "hidden"), "x"u8),
        ]);

        Assert.NotNull(await Store.ReadAsync(Key("ada", "shown"), asOwner: true));
        Assert.Null(await Store.ReadAsync(Key("ada", "hidden"), asOwner: true));
        Assert.Null(await Store.ReadAsync(Key("bob", "shown"), asOwner: true));
        Assert.NotNull(await Store.ReadAsync(Key("ada", "hidden")));
        Assert.Equal("shown", Assert.Single(await Store.ListAsync("ada", "items", asOwner: true)).Key.Key);
        Assert.Equal(2, (await Store.ListAsync("ada", "items")).Count);
    }

    [Fact]
    public async Task Sizes_and_names_beyond_the_bounds_are_refused_before_anything_is_written()
    {
        IPlayerStore small = await OpenAsync(new PlayerStoreOptions { MaxValueBytes = 4 });
        PlayerWrite[] tooMany = [.. Enumerable.Range(0, 101).Select(static i => PlayerWrite.Put(Key("ada", $"k{i}"), "x"u8))];

        await Assert.ThrowsAsync<ArgumentException>(() => small.ExecuteAsync(
            [PlayerWrite.Put(Key("ada"), "1234"u8), PlayerWrite.Put(Key("bob"), "12345"u8)]));
        await Assert.ThrowsAsync<ArgumentException>(() => small.ExecuteAsync(tooMany));
        await Assert.ThrowsAsync<ArgumentException>(() => small.ExecuteAsync([]));
        await Assert.ThrowsAsync<ArgumentException>(() => small.ExecuteAsync([tooMany[0], PlayerWrite.Delete(tooMany[0].Key)]));
        Assert.Empty(await Store.ListAsync("ada", "items"));
        Assert.Equal(100, (await small.ExecuteAsync(tooMany[1..])).Versions.Count);

        string longest = new('가', 128);
        var key = new DocumentKey(longest, new string('c', 64), new string('k', 128));
        await PutAsync(key, "x");
        Assert.Equal("x", await ReadAsync(key));
        await Store.ExecuteAsync([PlayerWrite.Delete(key)], new TransactionKey(longest, key.Key));
        await Store.AppendScoreAsync(new PlayerScore(key.Collection, longest, key.Key, long.MinValue));
        Assert.Equal(long.MinValue, Assert.Single(await Store.ListTopAsync(key.Collection)).Score.Score);
    }

    [Fact]
    public async Task A_board_shows_the_highest_scores_with_shared_ranks_in_pages()
    {
        foreach ((string player, long score) in new[] { ("ada", 50L), ("bob", 70L), ("cleo", 50L), ("dan", -3L), ("eve", 90L) })
        {
            await Store.AppendScoreAsync(new PlayerScore("race", player, "match-1", score));
            Time.Advance(TimeSpan.FromSeconds(1));
        }

        await Store.AppendScoreAsync(new PlayerScore("race", "ada", "match-2", 70));
        await Store.AppendScoreAsync(new PlayerScore("other", "ada", "match-2", 1000));

        Assert.Equal("1 eve 90, 2 bob 70, 2 ada 70, 4 ada 50, 4 cleo 50, 6 dan -3", await TopAsync(100, 0));
        Assert.Equal("2 ada 70, 4 ada 50", await TopAsync(limit: 2, skip: 2));
        Assert.Equal(s_now, Assert.Single(await Store.ListTopAsync("race", limit: 1, skip: 3)).ScoredAt);
        Assert.Equal("", await TopAsync(10, 6));
        Assert.Empty(await Store.ListTopAsync("nothing"));

        async Task<string> TopAsync(int limit, int skip) => string.Join(", ", (await Store.ListTopAsync("race", limit, skip))
            .Select(static line => FormattableString.Invariant($"{line.Rank} {line.Score.Player} {line.Score.Score}")));
    }

    [Fact]
    public async Task A_score_that_is_appended_again_stays_once_and_of_one_run_the_highest_stays()
    {
        foreach (long score in new[] { 5L, 5L, 8L, 2L })
        {
            await Store.AppendScoreAsync(new PlayerScore("race", "ada", "best", score));
        }

        Assert.Equal(8, Assert.Single(await Store.ListTopAsync("race")).Score.Score);
    }

    [Fact]
    public async Task A_player_keeps_its_100_highest_scores_of_a_board()
    {
        await Store.AppendScoreAsync(new PlayerScore("race", "bob", "match-1", 0));
        for (int i = 0; i < 103; i++)
        {
            await Store.AppendScoreAsync(new PlayerScore("race", "ada", $"match-{i}", i));
        }

        IReadOnlyList<RankedScore> top = await Store.ListTopAsync("race", limit: 200);

        Assert.Equal(101, top.Count);
        Assert.Equal(3, top[99].Score.Score);
        Assert.Equal("bob", top[100].Score.Player);
    }

    [Fact]
    public async Task Export_has_everything_of_a_player_and_erasure_deletes_it_and_nothing_else()
    {
        foreach (string player in new[] { "ada", "bob" })
        {
            await Store.ExecuteAsync(
                [
                    PlayerWrite.Put(Key(player, "shown"), "1"u8, ownerReadable: true),
                    PlayerWrite.Put(new DocumentKey(player, "hidden", "key"), "2"u8),
                ],
                new TransactionKey(player, "order-1"));
            await Store.AppendScoreAsync(new PlayerScore("race", player, "match-1", 7));
        }

        PlayerExport export = await Store.ExportAsync("ada");
        int deleted = await Store.EraseAsync("ada");

        Assert.Equal([new DocumentKey("ada", "hidden", "key"), Key("ada", "shown")], export.Documents.Select(static each => each.Key));
        Assert.Equal([new PlayerScore("race", "ada", "match-1", 7)], export.Scores);
        Assert.Equal(["order-1"], export.TransactionKeys);
        Assert.Equal(4, deleted);
        PlayerExport nothing = await Store.ExportAsync("ada");
        Assert.Equal((0, 0, 0), (nothing.Documents.Count, nothing.Scores.Count, nothing.TransactionKeys.Count));
        Assert.Equal(2, (await Store.ExportAsync("bob")).Documents.Count);
        Assert.Equal("bob", Assert.Single(await Store.ListTopAsync("race")).Score.Player);
    }

    [Fact]
    public async Task Stores_that_initialize_at_once_leave_one_schema_that_keeps_what_is_stored()
    {
        await RemoveDatabaseAsync();
        IPlayerStore[] stores = await RaceAsync(async _ => await OpenAsync(), count: 8);

        await stores[0].ExecuteAsync([PlayerWrite.Put(Key("ada"), "1"u8)]);
        await stores[1].InitializeAsync();

        Assert.NotNull(await stores[^1].ReadAsync(Key("ada")));
    }

    [Fact]
    public async Task The_tables_share_the_database_of_the_chat_whichever_comes_first()
    {
        await PutAsync(Key("ada"), "1");
        await using (IChatStore chat = OpenChat())
        {
            await chat.InitializeAsync();
            await chat.CreateAccountAsync("ada", passwordHash: null, s_now);
        }

        IPlayerStore again = await OpenAsync();
        Assert.NotNull(await again.ReadAsync(Key("ada")));

        await RemoveDatabaseAsync();
        await using (IChatStore chat = OpenChat())
        {
            await chat.InitializeAsync();
            Store = await OpenAsync();
            await PutAsync(Key("ada"), "2");
            await chat.CreateAccountAsync("ada", passwordHash: null, s_now);
        }

        Assert.Equal("2", await ReadAsync(Key("ada")));
    }

    [Fact]
    public async Task A_database_that_is_newer_than_the_program_is_refused()
    {
        await ExecuteAsync("UPDATE player_schema SET version = 99");

        StorageException error = await Assert.ThrowsAsync<StorageException>(() => OpenAsync());

        Assert.Equal(StorageErrorKind.NewerSchema, error.Kind);
    }

    [Fact]
    public async Task A_store_refuses_work_before_it_is_initialized_and_after_it_is_disposed()
    {
        await using PlayerStore early = Open(options: null);
        await Assert.ThrowsAsync<InvalidOperationException>(() => early.ReadAsync(Key("ada")));

        await Store.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => Store.ReadAsync(Key("ada")));
    }

    protected abstract IChatStore OpenChat();

    /// <summary>Empties or deletes this test's database.</summary>
    protected abstract Task RemoveDatabaseAsync();

    /// <summary>Runs a statement on this test's database, past the store.</summary>
    protected abstract Task ExecuteAsync(string sql);
}
