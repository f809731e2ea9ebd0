using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Storage.ChatLog;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.ChatLog;

public sealed partial class ChatLogSpillTests
{
    // Of three entries, where the second begins; and where the third does.
    private long _second;
    private long _third;

    [Fact]
    public void A_damaged_entry_costs_itself_alone_and_what_was_found_is_kept()
    {
        byte[] found = WriteThree();
        found[_third - 1] ^= 1;
        File.WriteAllBytes(FilePath, found);
        var logger = new RecordingLogger();

        using (ChatLogSpill damaged = ChatLogSpill.Open(FilePath, Large, logger))
        {
            Assert.Equal(2, damaged.Records);
            Assert.Equal(found.Length - (_third - _second), new FileInfo(FilePath).Length);
        }

        string copy = Assert.Single(Copies());
        Assert.Equal(found[(int)_second..], File.ReadAllBytes(copy));
        (LogLevel level, _, string text) = Assert.Single(logger.Entries, static entry => entry.Event == "SpillDamaged");
        Assert.Equal(LogLevel.Error, level);
        Assert.Contains(copy, text, StringComparison.Ordinal);

        // It is whole again.
        Assert.Equal([1, 3], OpenAndTakeAll());
        Assert.Single(Copies());
    }

    [Fact]
    public void A_damaged_last_entry_is_cut_off_and_kept()
    {
        byte[] found = WriteThree();
        found[^1] ^= 1;
        File.WriteAllBytes(FilePath, found);

        Assert.Equal([1, 2], OpenAndTakeAll());

        Assert.Equal(found[(int)_third..], File.ReadAllBytes(Assert.Single(Copies())));
    }

    [Fact]
    public void A_damaged_length_is_never_taken_for_a_write_that_was_cut_short()
    {
        byte[] whole = WriteThree();
        for (int bit = 0; bit < 32; bit++)
        {
            byte[] found = [.. whole];
            found[_second + (bit / 8)] ^= (byte)(1 << (bit % 8));
            File.WriteAllBytes(FilePath, found);

            Assert.Equal(1, OpenAndTakeAll()[0]);

            string copy = Assert.Single(Copies());
            Assert.Equal(found[(int)_second..], File.ReadAllBytes(copy));
            File.Delete(copy);
        }
    }

    [Fact]
    public void A_damaged_start_costs_nothing()
    {
        byte[] found = WriteThree();
        found[15] ^= 0x80;
        File.WriteAllBytes(FilePath, found);

        Assert.Equal([1, 2, 3], OpenAndTakeAll());
        Assert.Empty(Copies());
    }

    [Fact]
    public async Task A_file_that_cannot_be_read_is_named_with_what_to_do_and_keeps_what_it_has()
    {
        FaultyFile file = null!;
        using ChatLogSpill spill = ChatLogSpill.Open(FilePath, Large, NullLogger.Instance, path => file = new FaultyFile(path));
        spill.TryAppend([Record(1)]);
        file.IsUnreadable = true;
        var sink = new TestSink();

        StorageException problem = await Assert.ThrowsAsync<StorageException>(() => spill.ImportAsync(sink, CancellationToken.None));

        Assert.Contains($"'{FilePath}' cannot be read: The test's device is broken.", problem.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', problem.Message);
        file.IsUnreadable = false;
        Assert.Equal(1, await spill.ImportAsync(sink, CancellationToken.None));
        Assert.Equal([1], sink.Sequences);
    }

    private byte[] WriteThree()
    {
        using (ChatLogSpill spill = Open())
        {
            spill.TryAppend([Record(1)]);
            _second = new FileInfo(FilePath).Length;
            spill.TryAppend([Record(2)]);
            _third = new FileInfo(FilePath).Length;
            spill.TryAppend([Record(3)]);
        }

        return File.ReadAllBytes(FilePath);
    }

    private List<long> OpenAndTakeAll()
    {
        using ChatLogSpill spill = Open();
        var sequences = new List<long>();
        for (; !spill.IsEmpty; spill.RemoveFirst())
        {
            sequences.Add(spill.ReadFirst()[0].Sequence);
        }

        return sequences;
    }
}
