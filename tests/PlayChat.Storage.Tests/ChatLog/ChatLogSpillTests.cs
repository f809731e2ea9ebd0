using System.Globalization;
using System.Runtime.Versioning;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Storage.ChatLog;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.ChatLog;

public sealed partial class ChatLogSpillTests : IDisposable
{
    private const long Large = 1024 * 1024;

    // A few pages of SQLite's: header, table, free space's map.
    private const long MostEmptyBytes = 16 * 1024;

    private readonly TemporaryDirectory _folder = new();

    private string FilePath => _folder.Combine("spill.db");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void What_went_in_comes_out_in_its_order_also_in_another_process()
    {
        ChatRecord[] first = [Record(1, "a \0 ünïcødé\n"), Record(2) with { RoomName = null }];
        ChatRecord[] second = [Record(3)];
        using (ChatLogSpill spill = Open())
        {
            Assert.True(spill.TryAppend(first));
            Assert.True(spill.TryAppend(second));
        }

        using (ChatLogSpill again = Open())
        {
            Assert.Equal(3, again.Records);
            Assert.Equal(first, again.ReadFirst());
            again.RemoveFirst();
            Assert.Equal(second, again.ReadFirst());
            again.RemoveFirst();
            Assert.True(again.IsEmpty);
        }

        Assert.InRange(new FileInfo(FilePath).Length, 1, MostEmptyBytes);
    }

    [Fact]
    public void Text_that_is_no_unicode_is_taken_and_keeps_the_rest()
    {
        using ChatLogSpill spill = Open();

        Assert.True(spill.TryAppend([Record(1, "half \ud83d an emoji")]));

        Assert.Equal("half \ufffd an emoji", Assert.Single(spill.ReadFirst()).Text);
    }

    [Fact]
    public void A_kill_at_any_moment_of_a_write_leaves_the_batches_before_it()
    {
        using var killed = new TemporaryDirectory();
        string copy = killed.Combine("spill.db");
        using ChatLogSpill spill = Open();
        spill.TryAppend([Record(1)]);
        long whole = new FileInfo($"{FilePath}-wal").Length;
        spill.TryAppend([Record(2), Record(3)]);

        // What a killed process leaves: the file and its log, which ends anywhere in the second write.
        byte[] file = ReadShared(FilePath);
        byte[] log = ReadShared($"{FilePath}-wal");
        for (long length = whole; length <= log.Length; length += length + 31 < log.Length ? 31 : 1)
        {
            File.WriteAllBytes(copy, file);
            File.WriteAllBytes($"{copy}-wal", log[..(int)length]);
            using ChatLogSpill cut = ChatLogSpill.Open(copy, Large, NullLogger.Instance);
            Assert.Equal(length < log.Length ? 1 : 3, cut.Records);
            Assert.True(cut.TryAppend([Record(9)]));
            Assert.Equal(1, cut.ReadFirst()[0].Sequence);
        }

        Assert.Single(Directory.GetFiles(killed.Path)); // a write that was cut short is not damage
    }

    [Fact]
    public void A_full_file_takes_no_more_and_stays_whole()
    {
        const long MaxBytes = 64 * 1024;
        string text = new('x', 1000);
        var logger = new RecordingLogger();
        int taken = 0;
        using (ChatLogSpill spill = ChatLogSpill.Open(FilePath, MaxBytes, logger))
        {
            while (spill.TryAppend([Record(taken + 1, text)]))
            {
                taken++;
            }

            Assert.False(spill.TryAppend([Record(taken + 2, text)]));
            Assert.InRange(taken, 10, 60);
            Assert.Equal(taken, spill.Records);
            Assert.Equal(1, logger.Count("SpillFailed"));
        }

        Assert.InRange(new FileInfo(FilePath).Length, 1, MaxBytes);
        Assert.Equal(Enumerable.Range(1, taken).Select(static i => (long)i), OpenAndTakeAll());
    }

    [Fact]
    public void What_has_been_given_back_counts_no_more_and_its_space_is_used_again()
    {
        string text = new('x', 10_000);
        using (ChatLogSpill spill = Open(maxBytes: 500_000))
        {
            long next = 1;
            for (long first = 1; first <= 1000; first++)
            {
                while (next - first < 20)
                {
                    Assert.True(spill.TryAppend([Record(next++, text)]));
                }

                Assert.InRange(new FileInfo(FilePath).Length, 1, 500_000);
                Assert.Equal(first, spill.ReadFirst()[0].Sequence);
                spill.RemoveFirst();
            }
        }

        Assert.Equal(Enumerable.Range(1001, 19).Select(static i => (long)i), OpenAndTakeAll());
    }

    [Fact]
    public void A_file_that_was_emptied_gives_its_space_back_to_the_disk()
    {
        string text = new('x', 10_000);
        using (ChatLogSpill spill = Open())
        {
            for (int i = 1; i <= 50; i++)
            {
                spill.TryAppend([Record(i, text)]);
            }
        }

        Assert.InRange(new FileInfo(FilePath).Length, 50 * text.Length, Large);
        Assert.Equal(50, OpenAndTakeAll().Count);
        Assert.InRange(new FileInfo(FilePath).Length, 1, MostEmptyBytes);
    }

    [Fact]
    public void A_batch_that_the_disk_did_not_remove_is_given_back_once_and_removed_later()
    {
        using (ChatLogSpill spill = Open())
        {
            spill.TryAppend([Record(1)]);
            spill.RefuseWrites(true);
            spill.RemoveFirst();
            Assert.True(spill.IsEmpty);
            Assert.False(spill.TryAppend([Record(2)]));
            spill.RefuseWrites(false);

            Assert.True(spill.TryAppend([Record(3)]));

            Assert.Equal(3, spill.ReadFirst()[0].Sequence);
        }

        Assert.Equal([3], OpenAndTakeAll());
    }

    [Fact]
    public void Another_file_is_not_touched()
    {
        File.WriteAllText(FilePath, "somebody's letter");

        StorageException refused = Assert.Throws<StorageException>(() => Open());

        Assert.Equal(StorageErrorKind.NotADatabase, refused.Kind);
        Assert.Contains(FilePath, refused.Message, StringComparison.Ordinal);
        Assert.Equal("somebody's letter", File.ReadAllText(FilePath));
        Assert.Single(Directory.GetFiles(_folder.Path));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)] // damaged: its last page is missing
    public async Task Another_database_is_not_touched(int missingBytes)
    {
        await using (var store = new PlayChat.Storage.Sqlite.SqliteChatStore(new() { Path = FilePath }))
        {
            await store.InitializeAsync();
        }

        byte[] found = File.ReadAllBytes(FilePath)[..^missingBytes];
        File.WriteAllBytes(FilePath, found);

        Assert.Throws<StorageException>(() => Open());

        Assert.Equal(found, File.ReadAllBytes(FilePath));
        Assert.Single(Directory.GetFiles(_folder.Path));
    }

    [Fact]
    public void A_second_server_is_refused_in_one_sentence()
    {
        using ChatLogSpill mine = Open();

        StorageException refused = Assert.Throws<StorageException>(() => Open());

        Assert.Equal(StorageErrorKind.Busy, refused.Kind);
        Assert.Contains($"Another server has the chat log's spill file '{FilePath}' open", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', refused.Message);
        Assert.True(mine.TryAppend([Record(1)]));
    }

    [Fact]
    public async Task An_import_that_breaks_off_goes_on_where_it_was()
    {
        using ChatLogSpill spill = Open();
        spill.TryAppend([Record(1)]);
        spill.TryAppend([Record(2)]);
        var sink = new TestSink { Failing = true };
        await Assert.ThrowsAsync<StorageException>(() => spill.ImportAsync(sink, CancellationToken.None));
        sink.Failing = false;

        Assert.Equal(2, await spill.ImportAsync(sink, CancellationToken.None));

        Assert.Equal([1, 2], sink.Sequences);
        Assert.True(spill.IsEmpty);
    }

    [Fact]
    [UnsupportedOSPlatform("windows")] // skipped there
    public void Its_files_and_their_folder_are_for_this_account_alone()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such modes.");
        string path = _folder.Combine(Path.Combine("new", "spill.db"));
        using ChatLogSpill spill = ChatLogSpill.Open(path, Large, NullLogger.Instance);
        spill.TryAppend([Record(1)]);

        Assert.Equal(
            [UnixFileMode.UserRead | UnixFileMode.UserWrite],
            Directory.GetFiles(Path.GetDirectoryName(path)!).Select(File.GetUnixFileMode).Distinct());
        Assert.Equal(
            UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(Path.GetDirectoryName(path)!));
    }

    private static ChatRecord Record(long sequence, string? text = null) => new(
        7, sequence, 42, "ann", text ?? TextOf(sequence), DateTimeOffset.UnixEpoch.AddTicks(sequence), "hall");

    private static string TextOf(long sequence) => $"text {sequence.ToString(CultureInfo.InvariantCulture)}";

    private static byte[] ReadShared(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        byte[] content = new byte[file.Length];
        file.ReadExactly(content);
        return content;
    }

    private ChatLogSpill Open(long maxBytes = Large) => ChatLogSpill.Open(FilePath, maxBytes, NullLogger.Instance);

    private List<long> OpenAndTakeAll()
    {
        using ChatLogSpill spill = Open();
        var sequences = new List<long>();
        for (; !spill.IsEmpty; spill.RemoveFirst())
        {
            sequences.AddRange(spill.ReadFirst().Select(static record => record.Sequence));
        }

        return sequences;
    }
}
