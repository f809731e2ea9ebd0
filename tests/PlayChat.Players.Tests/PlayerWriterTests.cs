using System.Text;
using Microsoft.Data.Sqlite;
using PlayChat.Storage;
using PlayChat.Storage.Sqlite;

namespace PlayChat.Players.Tests;

/// <summary>The writer on a real SQLite store, which is away while another connection holds the file's write lock.</summary>
public sealed class PlayerWriterTests : IAsyncLifetime
{
    private readonly TemporaryDirectory _folder = new();
    private readonly ManualTimeProvider _time = new();
    private readonly RecordingLogger _log = new();
    private readonly PlayerStore _store;
    private readonly PlayerWriter _writer;

    public PlayerWriterTests()
    {
        _store = PlayerStore.OnSqlite(new SqliteStoreOptions { Path = Path, BusyTimeout = TimeSpan.Zero });
        _writer = NewWriter();
    }

    private string Path => _folder.Combine("players.db");

    public async ValueTask InitializeAsync() => await _store.InitializeAsync();

    public async ValueTask DisposeAsync()
    {
        await _writer.DisposeAsync();
        await _store.DisposeAsync();
        _folder.Dispose();
    }

    [Fact]
    public async Task Of_saves_within_the_interval_the_newest_is_written_when_it_ends()
    {
        for (int i = 0; i < 10; i++)
        {
            Assert.True(_writer.TrySave(Put("ada", "position", $"{i}")));
        }

        await _time.WaitForTimersAsync().WaitAsync(TestTimeouts.Hang);
        _time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.Null(await ReadAsync("ada", "position"));
        Assert.True(_writer.PendingBytes > 0);
        _time.Advance(TimeSpan.FromSeconds(0.1));
        await Eventually.TrueAsync(() => _writer.PendingBytes == 0);

        Assert.Equal("9", await ReadAsync("ada", "position"));
    }

    [Fact]
    public async Task A_flush_writes_the_saves_of_one_player_or_of_all_at_once()
    {
        _writer.TrySave(Put("ada", "position", "1"));
        _writer.TrySave(Put("ada", "mood", "2"));
        _writer.TrySave(Put("bob", "position", "3"));

        Assert.True(await _writer.FlushAsync("ada").WaitAsync(TestTimeouts.Hang));
        Assert.Equal(
            ("1", "2", null),
            (await ReadAsync("ada", "position"), await ReadAsync("ada", "mood"), await ReadAsync("bob", "position")));
        Assert.True(await _writer.FlushAsync().WaitAsync(TestTimeouts.Hang));
        Assert.Equal("3", await ReadAsync("bob", "position"));
        Assert.Equal(0, _writer.PendingBytes);
    }

    [Fact]
    public async Task The_writes_of_a_player_keep_their_order_across_saves_transactions_and_flushes()
    {
        var running = new List<Task<TransactionResult>>();
        for (int i = 0; i < 50; i++)
        {
            // The transaction deletes what the save before it wrote: written later, that would stay.
            _writer.TrySave(Put("ada", $"k{i}", "saved"));
            running.Add(_writer.ExecuteAsync(
                [PlayerWrite.Delete(Key("ada", $"k{i}")), Put("ada", "last", $"{i}"), Put("bob", "last", $"{i}")]));
            _writer.TrySave(Put("ada", "last", $"after {i}"));
            _ = i % 10 == 0 ? _writer.FlushAsync("ada") : Task.FromResult(true);
        }

        TransactionResult[] results = await Task.WhenAll(running).WaitAsync(TestTimeouts.Hang);
        await _writer.FlushAsync().WaitAsync(TestTimeouts.Hang);

        Assert.All(results, static result => Assert.True(result.HasHappened));
        Assert.Equal("last", Assert.Single(await _store.ListAsync("ada", "state")).Key.Key);
        Assert.Equal(("after 49", "49"), (await ReadAsync("ada", "last"), await ReadAsync("bob", "last")));
    }

    [Fact]
    public async Task A_store_that_is_away_for_a_while_gets_the_newest_saves_in_order_when_it_is_back()
    {
        await using SqliteConnection other = await LockAsync();
        _writer.TrySave(Put("ada", "position", "1"));
        _writer.TrySave(Put("ada", "mood", "old"));
        Task<bool> flushed = _writer.FlushAsync();
        await Eventually.TrueAsync(() => _log.Count("SaveFailed") == 1);
        _writer.TrySave(Put("ada", "position", "2")); // replaces what was not written
        StorageException error = await Assert.ThrowsAsync<StorageException>(() =>
            _writer.ExecuteAsync([Put("ada", "position", "lost")]).WaitAsync(TestTimeouts.Hang));
        Assert.Equal(StorageErrorKind.Busy, error.Kind);
        Assert.True(_writer.TrySave(Put("ada", "position", "3")));

        await UnlockAsync(other);
        await AdvanceUntilAsync(flushed);
        Assert.True(await _writer.FlushAsync().WaitAsync(TestTimeouts.Hang));

        Assert.Equal(("3", "old"), (await ReadAsync("ada", "position"), await ReadAsync("ada", "mood")));
        Assert.Equal((1, 1, 0), (_log.Count("SaveFailed"), _log.Count("SaveRecovered"), _log.Count("WriterFull")));
        Assert.Equal(0, _writer.PendingBytes);
    }

    [Fact]
    public async Task Beyond_the_bound_saves_are_refused_and_below_it_none_is_lost()
    {
        await using PlayerWriter small = NewWriter(maxPendingBytes: 2000);
        await using SqliteConnection other = await LockAsync();
        var accepted = new List<int>();
        for (int i = 0; i < 20; i++)
        {
            if (small.TrySave(Put($"player {i}", "position", $"{i}")))
            {
                accepted.Add(i);
            }
        }

        StorageException full = await Assert.ThrowsAsync<StorageException>(() => small.ExecuteAsync([Put("ada", "x", "1")]));
        bool replaced = small.TrySave(Put("player 0", "position", "9")); // takes no more room
        await UnlockAsync(other);
        await AdvanceUntilAsync(small.FlushAsync());

        Assert.Equal(StorageErrorKind.Busy, full.Kind);
        Assert.InRange(accepted.Count, 1, 19);
        Assert.Equal(1, _log.Count("WriterFull")); // one message for all refusals
        Assert.True(replaced);
        foreach (int i in accepted)
        {
            Assert.NotNull(await ReadAsync($"player {i}", "position"));
        }

        Assert.Null(await ReadAsync("player 19", "position"));
        Assert.True(small.TrySave(Put("player 19", "position", "1")));
    }

    [Fact]
    public async Task Disposal_writes_what_waits_and_refuses_more()
    {
        _writer.TrySave(Put("ada", "position", "1"));
        Task<TransactionResult> transaction = _writer.ExecuteAsync([Put("bob", "position", "2")]);

        await _writer.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(("1", "2"), (await ReadAsync("ada", "position"), await ReadAsync("bob", "position")));
        Assert.True((await transaction).HasHappened);
        Assert.False(_writer.TrySave(Put("ada", "position", "3")));
        Assert.False(await _writer.FlushAsync());
        await Assert.ThrowsAsync<StorageException>(() => _writer.ExecuteAsync([Put("ada", "position", "3")]));
    }

    [Fact]
    public async Task Disposal_gives_up_after_its_time_out_and_logs_how_many_documents_were_lost()
    {
        await using SqliteConnection other = await LockAsync();
        _writer.TrySave(Put("ada", "position", "1"));
        _writer.TrySave(Put("bob", "position", "2"));

        await AdvanceUntilAsync(_writer.DisposeAsync().AsTask());

        (_, _, string text) = Assert.Single(_log.Entries, static entry => entry.Event == "StoppedIncomplete");
        Assert.Contains("2 documents", text, StringComparison.Ordinal);
        Assert.Equal(0, _writer.PendingBytes);
    }

    [Fact]
    public async Task A_save_with_a_condition_or_too_large_is_the_callers_mistake()
    {
        Assert.Throws<ArgumentException>(() => _writer.TrySave(PlayerWrite.Put(Key("ada", "x"), "1"u8, ifVersion: 3)));
        Assert.Throws<ArgumentException>(() => _writer.TrySave(PlayerWrite.Put(Key("ada", "x"), new byte[_store.MaxValueBytes + 1])));
        await Assert.ThrowsAsync<ArgumentException>(() => _writer.ExecuteAsync([]).WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, _writer.PendingBytes);
    }

    [Fact]
    public async Task More_than_100_documents_of_a_player_are_written_in_several_transactions()
    {
        for (int i = 0; i < 250; i++)
        {
            _writer.TrySave(Put("ada", $"k{i:000}", "x"));
        }

        Assert.True(await _writer.FlushAsync().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(250, (await _store.ListAsync("ada", "state", limit: 1000)).Count);
    }

    private static DocumentKey Key(string player, string key) => new(player, "state", key);

    private static PlayerWrite Put(string player, string key, string value) =>
        PlayerWrite.Put(Key(player, key), Encoding.UTF8.GetBytes(value));

    private PlayerWriter NewWriter(long maxPendingBytes = 1 << 20) =>
        new(_store, new PlayerWriterOptions { Time = _time, Logger = _log, MaxPendingBytes = maxPendingBytes });

    private async Task<string?> ReadAsync(string player, string key) =>
        await _store.ReadAsync(Key(player, key)) is { } found ? Encoding.UTF8.GetString(found.Value.Span) : null;

    private async Task<SqliteConnection> LockAsync()
    {
        var other = new SqliteConnection($"Data Source={Path};Pooling=False");
        await other.OpenAsync();
        await ExecuteAsync(other, "BEGIN IMMEDIATE");
        return other;
    }

    private static Task UnlockAsync(SqliteConnection other) => ExecuteAsync(other, "ROLLBACK");

    private static async Task ExecuteAsync(SqliteConnection connection, string sql)
    {
        await using SqliteCommand command = connection.CreateCommand();
        command.CommandText = sql;
        await command.ExecuteNonQueryAsync();
    }

    private Task AdvanceUntilAsync(Task task) => Eventually.TrueAsync(() =>
    {
        _time.Advance(TimeSpan.FromSeconds(1));
        return task.IsCompleted;
    });
}
