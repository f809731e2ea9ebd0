using System.Runtime.Versioning;
using Microsoft.Data.Sqlite;
using PlayChat.Storage;
using SQLitePCL;

namespace PlayChat.Webhooks.Tests;

/// <summary>The outbox's file.</summary>
public sealed class OutboxTests
{
    [Fact]
    public async Task A_full_outbox_takes_nothing_of_a_batch_and_takes_it_when_it_has_space()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(503);
        await using WebhookServer server = await WebhookServer.StartAsync(
            folder, receiver, static options => options.OutboxBytes = 200_000);
        ChatRecord[] small = [server.Record(3, 1, "small")];
        ChatRecord[] large = [.. Enumerable.Range(2, 20).Select(i => server.Record(3, i, new string('x', 15_000)))];

        await server.AddAsync(small);
        StorageException full = await Assert.ThrowsAsync<StorageException>(() => server.AddAsync(large));

        Assert.Equal(StorageErrorKind.DiskFull, full.Kind);
        Assert.Equal(1, server.Status.Waiting);
        receiver.AnswerAll(200);
        await server.AdvanceUntilAsync(() => server.Status.Waiting == 0);
        await server.AddAsync(large[..5]);
        await Eventually.TrueAsync(() => receiver.Texts.Count() == 6);
    }

    [Fact]
    public void A_commit_that_fails_says_why_and_the_next_one_succeeds()
    {
        using var folder = new TemporaryDirectory();
        using var outbox = new WebhookOutbox(folder.Combine("outbox.db"));
        outbox.Open(["here"], maxBytes: 1_000_000, now: 1);
        raw.sqlite3_commit_hook(outbox.Connection.Handle, static _ => 1, null); // as a full disk does, it makes a commit a rollback

        SqliteException refused = Assert.Throws<SqliteException>(() => outbox.DeleteDeadLetters(target: null, number: null));
        raw.sqlite3_commit_hook(outbox.Connection.Handle, null, null);

        Assert.Equal(raw.SQLITE_CONSTRAINT_COMMITHOOK, refused.SqliteExtendedErrorCode);
        Assert.Equal(0, outbox.DeleteDeadLetters(target: null, number: null));
    }

    [Fact]
    public void A_room_without_a_request_that_waits_is_removed_when_the_file_is_opened()
    {
        using var folder = new TemporaryDirectory();
        using (var former = new WebhookOutbox(folder.Combine("outbox.db")))
        {
            former.Open(["here"], maxBytes: 1_000_000, now: 1);
            using SqliteCommand add = former.Connection.CreateCommand();
            add.CommandText = "INSERT INTO room (target, room, due, failures) VALUES ('here', 3, 1, 0)";
            add.ExecuteNonQuery();
        }

        using var outbox = new WebhookOutbox(folder.Combine("outbox.db"));
        outbox.Open(["here"], maxBytes: 1_000_000, now: 2);

        (WebhookOutbox.Delivery? next, long? due) = outbox.Find("here", [], now: 2);
        Assert.Null(next);
        Assert.Null(due);
    }

    [Fact]
    public async Task A_batch_that_the_chat_log_passes_again_is_there_once()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        receiver.AnswerAll(503);
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);
        ChatRecord[] batch = [server.Record(3, 1, "one"), server.Record(4, 1, "two")];

        await server.AddAsync(batch);
        await server.AddAsync(batch);

        Assert.Equal(2, server.Status.Waiting);
    }

    [Fact]
    public async Task A_second_server_does_not_get_the_file()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        await using WebhookServer first = await WebhookServer.StartAsync(folder, receiver);

        StorageException problem = await Assert.ThrowsAsync<StorageException>(() => WebhookServer.StartAsync(folder, receiver));

        Assert.Equal(StorageErrorKind.Busy, problem.Kind);
        Assert.Contains($"'{folder.Combine("outbox.db")}' is locked by another program", problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_file_of_another_program_stays_as_it_is()
    {
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        await File.WriteAllTextAsync(folder.Combine("outbox.db"), "This is no database, but a text that is long enough to be one.");

        StorageException problem = await Assert.ThrowsAsync<StorageException>(() => WebhookServer.StartAsync(folder, receiver));

        Assert.Equal(StorageErrorKind.NotADatabase, problem.Kind);
        Assert.StartsWith("This is no database", await File.ReadAllTextAsync(folder.Combine("outbox.db")), StringComparison.Ordinal);
    }

    [Fact]
    [UnsupportedOSPlatform("windows")] // skipped there
    public async Task The_file_is_for_this_account_alone()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such modes.");
        using var folder = new TemporaryDirectory();
        await using Receiver receiver = await Receiver.StartAsync();
        await using WebhookServer server = await WebhookServer.StartAsync(folder, receiver);
        await server.SayAsync(room: 3, 1, "one");

        Assert.Equal(
            [UnixFileMode.UserRead | UnixFileMode.UserWrite],
            Directory.GetFiles(folder.Path).Select(File.GetUnixFileMode).Distinct()); // the write-ahead log as well
    }
}
