using System.Text;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Storage.ChatLog;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.ChatLog;

public sealed partial class ChatLogSpillTests
{
    private const int PageBytes = 4096;
    private const int Batches = 20;

    [Fact]
    public void A_damaged_batch_costs_itself_alone_and_what_was_found_is_kept()
    {
        byte[] found = Write([Record(1), Record(2), Record(3)]);
        found[found.AsSpan().IndexOf(Encoding.UTF8.GetBytes(TextOf(2)))] ^= 1; // in the middle of a value, where SQLite does not notice it
        File.WriteAllBytes(FilePath, found);
        var logger = new RecordingLogger();

        using (ChatLogSpill damaged = ChatLogSpill.Open(FilePath, Large, logger))
        {
            Assert.Equal(2, damaged.Records);
        }

        string copy = Assert.Single(Copies());
        Assert.Equal(found, File.ReadAllBytes(copy));
        (LogLevel level, _, string text) = Assert.Single(logger.Entries, static entry => entry.Event == "SpillDamaged");
        Assert.Equal(LogLevel.Error, level);
        Assert.Contains(copy, text, StringComparison.Ordinal);
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(FilePath));
        }

        // It is whole again.
        Assert.Equal([1, 3], OpenAndTakeAll());
        Assert.Single(Copies());
    }

    [Theory]
    [InlineData(0x00)]
    [InlineData(0xA5)]
    public void A_damaged_page_costs_the_batches_on_it_alone_and_what_was_found_is_kept(byte garbage)
    {
        byte[] whole = WriteMany();
        for (int page = 1; page < whole.Length / PageBytes; page++)
        {
            byte[] found = [.. whole];
            found.AsSpan(page * PageBytes, PageBytes).Fill(garbage);

            // One page holds at most three of them. Two of the pages are the table's root and SQLite's map of the pages.
            AssertKept(found, least: page < 3 ? 0 : Batches - 3);
        }
    }

    [Fact]
    public void A_damaged_list_of_tables_costs_every_batch_and_what_was_found_is_kept()
    {
        byte[] found = WriteMany();
        found.AsSpan(100, PageBytes - 100).Fill(0xA5); // behind the header, which says that it is a spill file

        AssertKept(found, least: 0);
    }

    [Fact]
    public void A_file_that_was_cut_short_costs_the_batches_at_its_end_and_what_was_found_is_kept()
    {
        byte[] whole = WriteMany();
        AssertKept(whole[..90], least: 0);
        for (int length = PageBytes / 2; length < whole.Length; length += PageBytes / 2)
        {
            AssertKept(whole[..length], least: 0);
        }
    }

    [Fact]
    public void A_file_that_was_cut_short_before_its_mark_is_refused_and_not_touched()
    {
        byte[] found = WriteMany()[..60];
        File.WriteAllBytes(FilePath, found);

        StorageException refused = Assert.Throws<StorageException>(() => Open());

        Assert.Contains(FilePath, refused.Message, StringComparison.Ordinal);
        Assert.Equal(found, File.ReadAllBytes(FilePath));
    }

    [Fact]
    public async Task A_file_that_cannot_be_read_is_named_with_what_to_do_and_keeps_what_it_has()
    {
        using ChatLogSpill spill = Open();
        spill.TryAppend([Record(1)]);
        spill.RefuseEverything(true);
        var sink = new TestSink();

        StorageException problem = await Assert.ThrowsAsync<StorageException>(() => spill.ImportAsync(sink, CancellationToken.None));

        Assert.Contains($"'{FilePath}' failed: SQLite Error", problem.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', problem.Message);
        spill.RefuseEverything(false);
        Assert.Equal(1, await spill.ImportAsync(sink, CancellationToken.None));
        Assert.Equal([1], sink.Sequences);
    }

    private string[] Copies() => Directory.GetFiles(_folder.Path, "spill.db.damaged-*");

    private byte[] Write(IEnumerable<ChatRecord> records)
    {
        using (ChatLogSpill spill = Open())
        {
            foreach (ChatRecord record in records)
            {
                Assert.True(spill.TryAppend([record]));
            }
        }

        return File.ReadAllBytes(FilePath);
    }

    private byte[] WriteMany() => Write(Enumerable.Range(1, Batches).Select(static i => Record(i, $"{TextOf(i)} {new string('x', 1500)}")));

    /// <summary>Opens a damaged file: of what it gives each batch is one that was written, and what it lacks is in the copy.</summary>
    private void AssertKept(byte[] found, int least)
    {
        File.WriteAllBytes(FilePath, found);
        var logger = new RecordingLogger();
        using (ChatLogSpill spill = ChatLogSpill.Open(FilePath, Large, logger))
        {
            Assert.InRange(spill.Records, least, Batches);
            long last = 0;
            for (; !spill.IsEmpty; spill.RemoveFirst())
            {
                ChatRecord record = Assert.Single(spill.ReadFirst());
                Assert.StartsWith($"{TextOf(record.Sequence)} ", record.Text, StringComparison.Ordinal);
                Assert.True(record.Sequence > last);
                last = record.Sequence;
            }

            Assert.True(spill.TryAppend([Record(Batches + 1)]));
        }

        string copy = Assert.Single(Copies());
        Assert.Equal(found, File.ReadAllBytes(copy));
        Assert.Equal(1, logger.Count("SpillDamaged"));
        File.Delete(copy);
    }
}
