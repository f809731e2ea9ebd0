using System.Collections;
using System.Text.Json;
using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Configuration;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.ChatLog;

public sealed class ChatFileSinkTests : IDisposable
{
    private readonly TemporaryDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_file_that_is_moved_loses_nothing()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows does not let an open file be moved.");
        using (var sink = new ChatFileSink(new ChatLogSettings { Directory = _folder.Path }))
        {
            await WriteAsync(sink, [Record(1)]);
            string today = Directory.GetFiles(_folder.Path).Single();
            File.Move(today, _folder.Combine("moved.jsonl"));
            await WriteAsync(sink, [Record(2)]);

            // A failure ends the moved file; what comes next is in a new one.
            await Assert.ThrowsAsync<IOException>(() => WriteAsync(sink, new FailingBatch(Record(3))));
            await WriteAsync(sink, [Record(3)]);
            Assert.True(File.Exists(today));
            await WriteAsync(sink, [Record(4)]);
        }

        Assert.Equal(2, Directory.GetFiles(_folder.Path).Length);
        string[] whole = Directory.GetFiles(_folder.Path).SelectMany(File.ReadLines).Where(IsWhole).ToArray();
        Assert.Equal([1, 2, 3, 4], whole.Select(SequenceOf).Distinct().Order());
    }

    [Fact]
    public async Task A_write_that_fails_half_way_leaves_no_half_line()
    {
        using (var sink = new ChatFileSink(new ChatLogSettings { Directory = _folder.Path }))
        {
            await WriteAsync(sink, [Record(1)]);
            await Assert.ThrowsAsync<IOException>(() => WriteAsync(sink, new FailingBatch(Record(2))));
            await WriteAsync(sink, [Record(2), Record(3)]);
            await WriteAsync(sink, [Record(4)]);
        }

        Assert.Equal([1, 2, 3, 4], File.ReadLines(Directory.GetFiles(_folder.Path).Single()).Select(SequenceOf));
    }

    [Fact]
    public async Task A_file_of_full_size_is_followed_by_another_and_the_oldest_go()
    {
        const int Records = 20; // of 20 KB each
        using (var sink = new ChatFileSink(new ChatLogSettings { Directory = _folder.Path, FileBytes = 65_536, RetainedFiles = 2 }))
        {
            for (int i = 1; i <= Records; i++)
            {
                await WriteAsync(sink, [Record(i)]);
            }
        }

        string[] files = [.. Directory.GetFiles(_folder.Path).Order(StringComparer.Ordinal)];
        Assert.Equal(2, files.Length);
        Assert.All(files, static file => Assert.InRange(new FileInfo(file).Length, 1, 65_536 + 21_000));
        long[] kept = [.. files.SelectMany(File.ReadLines).Select(SequenceOf)];
        Assert.Equal(Enumerable.Range(Records - kept.Length + 1, kept.Length).Select(static i => (long)i), kept);
        Assert.InRange(kept.Length, 1, Records - 1);
    }

    [Fact]
    public async Task A_first_write_that_fails_leaves_an_empty_file()
    {
        using (var sink = new ChatFileSink(new ChatLogSettings { Directory = _folder.Path }))
        {
            await Assert.ThrowsAsync<IOException>(() => WriteAsync(sink, new FailingBatch(Record(1))));
            await WriteAsync(sink, [Record(1)]);
        }

        Assert.Equal([1], File.ReadLines(Directory.GetFiles(_folder.Path).Single()).Select(SequenceOf));
    }

    [Fact]
    public async Task A_file_that_could_not_be_opened_is_tried_again()
    {
        string path = _folder.Combine("chat");
        using (var sink = new ChatFileSink(new ChatLogSettings { Directory = path }))
        {
            // Nothing can be opened below a file.
            Directory.Delete(path);
            await File.WriteAllTextAsync(path, "");
            IOException problem = await Assert.ThrowsAsync<IOException>(() => WriteAsync(sink, [Record(1)]));
            Assert.Contains(path, problem.Message, StringComparison.Ordinal);
            File.Delete(path);
            await WriteAsync(sink, [Record(1)]);
        }

        Assert.Equal([1], File.ReadLines(Directory.GetFiles(path).Single()).Select(SequenceOf));
    }

    private static Task<int> WriteAsync(ChatFileSink sink, IReadOnlyList<ChatRecord> batch) =>
        sink.WriteBatchAsync(batch, CancellationToken.None);

    // Longer than any buffer on the way, so that a failed write has left some of it.
    private static ChatRecord Record(long sequence) =>
        new(7, sequence, 42, "ann", new string('x', 20_000), DateTimeOffset.UnixEpoch, "hall");

    private static long SequenceOf(string line)
    {
        using JsonDocument json = JsonDocument.Parse(line);
        return json.RootElement.GetProperty("sequence").GetInt64();
    }

    private static bool IsWhole(string line) => line.EndsWith('}');

    /// <summary>Gives one record, and then the disk is full.</summary>
    private sealed class FailingBatch(ChatRecord first) : IReadOnlyList<ChatRecord>
    {
        public int Count => 2;

        public ChatRecord this[int index] => index == 0 ? first : throw new IOException("No space left on the test's device.");

        public IEnumerator<ChatRecord> GetEnumerator() => throw new NotSupportedException();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
