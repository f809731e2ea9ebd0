using System.Globalization;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Storage.ChatLog;
using PlayChat.TestUtilities;

namespace PlayChat.Storage.Tests.ChatLog;

public sealed partial class ChatLogSpillTests : IDisposable
{
    private const long Large = 1024 * 1024;

    private readonly TemporaryDirectory _folder = new();

    private string FilePath => _folder.Combine("spill.bin");

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
            spill.Flush();
        }

        using ChatLogSpill again = Open();

        Assert.Equal(3, again.Records);
        Assert.Equal(first, again.ReadFirst());
        again.RemoveFirst();
        Assert.Equal(second, again.ReadFirst());
        again.RemoveFirst();
        Assert.True(again.IsEmpty);
        Assert.Equal(16, new FileInfo(FilePath).Length);
    }

    [Fact]
    public void A_batch_cut_short_at_any_byte_is_cut_off_and_those_before_it_stay()
    {
        long whole;
        using (ChatLogSpill spill = Open())
        {
            spill.TryAppend([Record(1)]);
            whole = new FileInfo(FilePath).Length;
            spill.TryAppend([Record(2), Record(3)]);
        }

        byte[] content = File.ReadAllBytes(FilePath);
        for (int length = 0; length < content.Length; length++)
        {
            File.WriteAllBytes(FilePath, content[..length]);
            using ChatLogSpill cut = Open();
            Assert.Equal(length >= whole ? 1 : 0, cut.Records);
            Assert.True(cut.TryAppend([Record(9)]));
            Assert.Equal(length >= whole ? 1 : 9, cut.ReadFirst()[0].Sequence);
        }

        Assert.Empty(Copies()); // nothing of it had been taken
    }

    [Fact]
    public void A_full_file_takes_no_more_and_stays_whole()
    {
        using (ChatLogSpill spill = Open(maxBytes: 400))
        {
            int taken = 0;
            while (spill.TryAppend([Record(taken + 1)]))
            {
                taken++;
            }

            Assert.InRange(taken, 1, 10);
            Assert.Equal(taken, spill.Records);
        }

        Assert.InRange(new FileInfo(FilePath).Length, 1, 400);
        using ChatLogSpill again = Open(maxBytes: 400);
        Assert.Equal(1, again.ReadFirst()[0].Sequence);
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

        using ChatLogSpill again = Open();
        var left = new List<long>();
        for (; !again.IsEmpty; again.RemoveFirst())
        {
            left.Add(again.ReadFirst()[0].Sequence);
        }

        // What was given back after the last move is there again.
        Assert.Equal(Enumerable.Range((int)left[0], left.Count).Select(static i => (long)i), left);
        Assert.InRange(left[0], 980, 1001);
        Assert.Equal(1019, left[^1]);
    }

    [Fact]
    public void A_move_to_the_front_that_was_cut_short_leaves_what_waited()
    {
        long first;
        using (ChatLogSpill spill = Open())
        {
            spill.TryAppend([Record(1)]);
            first = new FileInfo(FilePath).Length;
            spill.TryAppend([Record(2)]);
        }

        using (FileStream file = File.OpenWrite(FilePath))
        {
            file.Position = 8;
            file.Write(BitConverter.GetBytes(first));
            file.Write("half of what moved"u8);
        }

        using (ChatLogSpill again = Open())
        {
            Assert.Equal(2, again.ReadFirst()[0].Sequence);
            again.RemoveFirst();
            Assert.True(again.IsEmpty);
            Assert.True(again.TryAppend([Record(3)]));
        }

        using ChatLogSpill last = Open();
        Assert.Equal(1, last.Records);
        Assert.Equal(3, last.ReadFirst()[0].Sequence);
    }

    [Fact]
    public void Another_file_is_not_touched()
    {
        File.WriteAllText(FilePath, "somebody's letter");

        StorageException refused = Assert.Throws<StorageException>(() => Open());

        Assert.Equal(StorageErrorKind.NotADatabase, refused.Kind);
        Assert.Equal("somebody's letter", File.ReadAllText(FilePath));
    }

    [Fact]
    public void A_second_server_is_refused_in_one_sentence()
    {
        using ChatLogSpill mine = Open();

        StorageException refused = Assert.Throws<StorageException>(() => Open());

        Assert.Equal(StorageErrorKind.NotWritable, refused.Kind);
        Assert.Contains(FilePath, refused.Message, StringComparison.Ordinal);
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

    private static ChatRecord Record(long sequence, string? text = null) => new(
        7, sequence, 42, "ann", text ?? $"text {sequence.ToString(CultureInfo.InvariantCulture)}", DateTimeOffset.UnixEpoch.AddTicks(sequence), "hall");

    private string[] Copies() => Directory.GetFiles(_folder.Path, "spill.bin.damaged-*");

    private ChatLogSpill Open(long maxBytes = Large) => ChatLogSpill.Open(FilePath, maxBytes, NullLogger.Instance);
}
