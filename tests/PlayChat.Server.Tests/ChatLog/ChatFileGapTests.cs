using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Configuration;
using PlayChat.Storage;
using PlayChat.Storage.ChatLog;
using PlayChat.Storage.Sqlite;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.ChatLog;

public sealed class ChatFileGapTests
{
    [Fact]
    public async Task A_day_file_that_cannot_be_written_keeps_nothing_out_of_the_database()
    {
        const int Records = 500;
        using var folder = new TemporaryDirectory();
        string path = folder.Combine("chat");
        var logger = new RecordingLogger();
        await using var store = new SqliteChatStore(new SqliteStoreOptions { Path = folder.Combine("chat.db") });
        await store.InitializeAsync();
        var options = new ChatLogOptions
        {
            QueueRecords = 50,
            BatchRecords = 10,
            FlushInterval = TimeSpan.Zero,
            RetryDelay = TimeSpan.FromMilliseconds(1),
            FullPolicy = ChatLogFullPolicy.Wait,
        };
        int lost;
        using (var file = new ChatFileSink(new ChatLogSettings { Directory = path }))
        {
            // Nothing can be written below a file.
            Directory.Delete(path);
            await File.WriteAllTextAsync(path, "");
            await using var writer = new ChatLogWriter([store, file], options, logger.CreateLogger<ChatLogWriter>());

            for (int i = 1; i <= Records; i++)
            {
                Assert.True(await writer.AppendAsync(Record(i)).AsTask().WaitAsync(TestTimeouts.Hang));
            }

            await Eventually.TrueAsync(() => writer.Metrics.InDatabase == Records);
            File.Delete(path);
            Assert.True(await writer.AppendAsync(Record(Records + 1)).AsTask().WaitAsync(TestTimeouts.Hang));
            ChatLogStopReport report = await writer.StopAsync().WaitAsync(TestTimeouts.Hang);

            lost = (int)writer.Metrics.GivenUp;
            Assert.Equal(lost, report.NotStoredBySink["file"]);
            Assert.Equal(0, report.NotStoredBySink["SQLite"]);
        }

        Assert.InRange(lost, Records - options.QueueRecords, Records);
        Assert.Equal(Sequences(1, Records + 1), (await store.ReadChatAfterAsync(7, 0, 1000)).Select(static record => record.Sequence));
        Assert.Equal(Sequences(lost + 1, Records + 1 - lost), File.ReadLines(Directory.GetFiles(path).Single()).Select(SequenceOf));
        (LogLevel level, _, string text) = Assert.Single(logger.Entries, static entry => entry.Event == "SinkGivesUp");
        Assert.Equal(LogLevel.Error, level);
        Assert.Contains("gap", text, StringComparison.Ordinal);
        Assert.Contains(
            lost.ToString(CultureInfo.InvariantCulture), Assert.Single(
                logger.Entries, static entry => entry.Event == "SinkHasGap").Text, StringComparison.Ordinal);
    }

    private static IEnumerable<long> Sequences(int first, int count) => Enumerable.Range(first, count).Select(static i => (long)i);

    private static ChatRecord Record(long sequence) => new(7, sequence, 42, "ann", "hello", DateTimeOffset.UnixEpoch, "hall");

    private static long SequenceOf(string line)
    {
        using JsonDocument json = JsonDocument.Parse(line);
        return json.RootElement.GetProperty("sequence").GetInt64();
    }
}
