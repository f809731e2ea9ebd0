using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Kpi;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Kpi;

public sealed class LostConsoleTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly RecordingLogger _log = new();
    private readonly BrokenConsole _console = new();

    [Fact]
    public async Task A_console_that_cannot_be_written_costs_the_table_alone_and_is_logged_once()
    {
        using var directory = new TemporaryDirectory();
        string json = directory.Combine("kpi.json");
        await using TestServer server = await StartAsync("--Kpi:Interval=00:00:10", $"--Kpi:JsonFile={json}");
        await using TestClient kim = await server.LoginAsync("kim");

        _time.Advance(TimeSpan.FromSeconds(10));
        await Eventually.TrueAsync(() => _log.Count("KpiConsoleFailed") == 1);
        await kim.AskAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq()); // the table would have another row
        _time.Advance(TimeSpan.FromSeconds(10));
        await Eventually.TrueAsync(() => Lines(json) == 3); // the first is that of the start
        await server.StopAsync();

        Assert.Equal(4, Lines(json));
        Assert.Equal(1, _console.Attempts);
        Assert.Equal(1, _log.Count("KpiConsoleFailed"));
    }

    [Fact]
    public async Task A_summary_that_cannot_be_written_is_no_fault_of_the_stop()
    {
        await using TestServer server = await StartAsync("--Kpi:Interval=01:00:00");

        await server.StopAsync();

        Assert.Equal(1, _console.Attempts);
        Assert.Equal(1, _log.Count("KpiConsoleFailed"));
    }

    private Task<TestServer> StartAsync(params string[] args) => TestServer.StartInAsync(
        null,
        services => services.AddSingleton<TimeProvider>(_time).AddSingleton<TextWriter>(_console).AddSingleton<ILogger<KpiReporter>>(
            new Logger<KpiReporter>(_log)),
        args);

    // The server has the file open for writing; a line that is being written has no end yet.
    private static int Lines(string path)
    {
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().Count(static c => c == '\n');
    }

    private sealed class BrokenConsole : StringWriter
    {
        private int _attempts;

        public int Attempts => Volatile.Read(ref _attempts);

        public override void WriteLine(string? value)
        {
            Interlocked.Increment(ref _attempts);
            throw new IOException("No space left on device");
        }
    }
}
