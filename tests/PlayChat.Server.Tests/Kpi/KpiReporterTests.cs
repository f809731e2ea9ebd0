using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Diagnostics;
using PlayChat.Chat.Hosting;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Kpi;

public sealed class KpiReporterTests
{
    [Fact]
    public async Task The_file_has_a_line_at_start_and_one_at_stop_with_what_was_counted()
    {
        using var directory = new TemporaryDirectory();
        string json = directory.Combine("kpi", "kpi.json");
        await using (TestServer server = await TestServer.StartAsync(
            "--Kpi:Interval=01:00:00", $"--Kpi:JsonFile={json}", TestServer.Fleeting))
        {
            string first = Assert.Single(Lines(json));
            Assert.Equal(0, JsonDocument.Parse(first).RootElement.GetProperty("total").GetProperty("frames_received").GetInt64());
            await using TestClient kim = await server.LoginAsync("kim");
            long roomId = (await kim.CreateAsync("lobby")).RoomId;
            await kim.SayAsync(roomId, "hi");
            await server.StopAsync();

            string summary = server.Console.ToString();
            Assert.Contains("received     3 frames", summary, StringComparison.Ordinal);
            Assert.Contains("chat stored", summary, StringComparison.Ordinal);
        }

        string[] lines = Lines(json);
        JsonElement last = JsonDocument.Parse(lines[^1]).RootElement;
        Assert.Equal(2, lines.Length);
        Assert.Equal(3, last.GetProperty("total").GetProperty("frames_received").GetInt64());
        Assert.Equal(0, last.GetProperty("now").GetProperty("sessions").GetInt64());
        JsonElement extras = last.GetProperty("extras");
        Assert.Equal(2, extras.GetProperty("chat_stored").GetInt64());
        Assert.Equal(0, extras.GetProperty("chat_not_stored").GetInt64());
        Assert.Equal(0, extras.GetProperty("chat_not_in_file").GetInt64());
        Assert.Equal(0, extras.GetProperty("chat_queued").GetInt64());
        Assert.True(extras.TryGetProperty("db_wait_ms", out _));
        Assert.True(extras.TryGetProperty("log_dropped", out _));
    }

    [Theory]
    [InlineData(false, "p99 ms")]
    [InlineData(true, "bc-deliv/s")]
    public async Task The_table_has_a_row_for_an_interval_in_which_something_happened(bool isFull, string column)
    {
        var time = new ManualTimeProvider();
        var console = new FirstLine();
        await using TestServer server = await TestServer.StartInAsync(
            null, services => services.AddSingleton<TimeProvider>(time).AddSingleton<TextWriter>(console),
            "--Kpi:Interval=00:00:10", $"--Kpi:FullTable={isFull}");
        await using TestClient kim = await server.LoginAsync("kim");

        time.Advance(TimeSpan.FromSeconds(10));

        Assert.Contains(column, await console.Written.WaitAsync(TestTimeouts.Hang), StringComparison.Ordinal);
    }

    [Fact]
    public async Task With_JSON_lines_nothing_else_is_printed()
    {
        var time = new ManualTimeProvider();
        using var log = new RecordingLogger();
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services => services.AddSingleton<TimeProvider>(time).AddSingleton<ILoggerFactory>(log),
            "--Kpi:Interval=00:00:10", "--Log:Format=json");
        await using (TestClient kim = await server.LoginAsync("kim"))
        {
            time.Advance(TimeSpan.FromSeconds(10));
        }

        server.Get<StartReport>().TellReady();
        server.Get<StartReport>().TellStoppedEarly();
        await server.StopAsync();

        Assert.Equal("", server.Console.ToString());
        Assert.Equal((1, 1), (log.Count(nameof(ServerLog.Ready)), log.Count(nameof(ServerLog.StoppedEarly))));
    }

    [Fact]
    public async Task A_row_that_fails_does_not_end_the_figures()
    {
        var time = new ManualTimeProvider();
        var console = new FirstLine { Fails = true };
        var log = new RecordingLogger();
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services => services.AddSingleton<TimeProvider>(time).AddSingleton<TextWriter>(console).AddSingleton<ILoggerFactory>(log),
            "--Kpi:Interval=00:00:10");
        await using TestClient kim = await server.LoginAsync("kim");

        time.Advance(TimeSpan.FromSeconds(10));
        await Eventually.TrueAsync(() => log.Count("IntervalNotTaken") == 1);
        console.Fails = false;
        await using TestClient lee = await server.LoginAsync("lee");
        time.Advance(TimeSpan.FromSeconds(10));

        Assert.Contains("p99 ms", await console.Written.WaitAsync(TestTimeouts.Hang), StringComparison.Ordinal);
    }

    // The server has the file open for writing.
    private static string[] Lines(string path)
    {
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    private sealed class FirstLine : StringWriter
    {
        private readonly TaskCompletionSource<string> _written = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<string> Written => _written.Task;

        /// <summary>Whether it throws what no console is known to throw.</summary>
        public bool Fails { get; set; }

        public override void WriteLine(string? value)
        {
            if (Fails)
            {
                throw new NotSupportedException();
            }

            _written.TrySetResult(value ?? "");
        }
    }
}
