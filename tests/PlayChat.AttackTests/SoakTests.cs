using System.Globalization;
using System.Text.Json;
using Google.Protobuf;
using PlayChat.AttackTests.Harness;
using PlayChat.Protocol;
using PlayChat.RoomProbe;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>A long run with everything that happens to a server in weeks, to see that nothing grows.</summary>
[Trait("Tier", "Full")]
public sealed class SoakTests
{
    private const int StormPeers = 2;
    private const int SlowReaders = 4;
    private const int LogFileBytes = 100_000;
    private const int LogFiles = 5;

    // The last third against the third before it. The first one is the start: caches fill, and the runtime compiles.
    private const double MemoryFactor = 1.2;
    private const long MemorySlackBytes = 32L * 1024 * 1024;
    private const int ThreadSlack = 8;
    private const int OpenFileSlack = 64; // connections come and go between two samples

    private static readonly TimeSpan s_sampleInterval = TimeSpan.FromSeconds(1);

    /// <summary>30 minutes, or as many seconds as the environment variable <c>SOAK_SECONDS</c> says.</summary>
    private static TimeSpan Duration => Environment.GetEnvironmentVariable("SOAK_SECONDS") is { Length: > 0 } seconds
        ? TimeSpan.FromSeconds(double.Parse(seconds, CultureInfo.InvariantCulture))
        : TimeSpan.FromMinutes(30);

    [Theory(Explicit = true)]
    [InlineData("sockets")]
    [InlineData("linux")]
    public async Task Soak_memory_threads_and_open_files_stay_flat(string transport)
    {
        Assert.SkipUnless(ProcessReading.IsSupported, ProcessReading.SkipReason);
        await using ServerProcess server = await ServerProcess.StartAsync(
        [
            $"--Transport={transport}", "--PlayChat:Connections:SendTimeout=00:00:05", "--PlayChat:Transport:SendBufferBytes=8192",
            "--PlayChat:Sessions:ResumeWindow=00:00:05", "--Serilog:MinimumLevel:Default=Debug",
            .. LogTo(LogFileBytes, LogFiles),
        ]);
        await using RoomBeside room = await RoomBeside.StartAsync(server);
        using var stop = new CancellationTokenSource(Duration);

        Task<ProcessReading[]> sampling = SampleAsync(server, stop.Token);
        Task<long> storm = ConnectionStorm.RunAsync(server.Port, StormPeers, stop.Token);
        Task[] readers = [.. Enumerable.Range(1, SlowReaders).Select(i => ReadSlowlyAsync(server, $"slow {i}", stop.Token))];
        RoomReport delays = await room.MeasureAsync(Task.WhenAll([sampling, storm, .. readers]));

        ProcessReading[] samples = await sampling;
        int third = samples.Length / 3;
        ProcessReading middle = Typical(samples[third..(2 * third)]);
        ProcessReading last = Typical(samples[(2 * third)..]);
        JsonElement figures = await server.WaitForFiguresAsync(
            figures => ServerProcess.Figure(figures, "now", "connections") == room.Members);
        long connections = await storm;
        string report = string.Create(
            CultureInfo.InvariantCulture,
            $"{connections} connections, {ServerProcess.Figure(figures, "closes", "slow_consumer")} slow readers closed, "
                + $"{delays}. Middle third: {middle}. Last third: {last}.");
        TestContext.Current.TestOutputHelper?.WriteLine(report);
        Assert.True(last.ResidentBytes <= (middle.ResidentBytes * MemoryFactor) + MemorySlackBytes, report);
        Assert.True(last.Threads <= middle.Threads + ThreadSlack, report);
        Assert.True(last.OpenFiles <= middle.OpenFiles + OpenFileSlack, report);
        Assert.Equal(0, ServerProcess.Figure(figures, "now", "send_buffers_in_use"));
        Assert.Equal(0, ServerProcess.Figure(figures, "total", "handler_faults"));
        Assert.True(ServerProcess.Figure(figures, "closes", "slow_consumer") > 0, report);
        FileInfo[] logs = new DirectoryInfo(Path.Combine(server.Directory, "logs")).GetFiles("playchat-*");
        Assert.InRange(logs.Length, 2, LogFiles); // it has rotated
        Assert.All(logs, static log => Assert.InRange(log.Length, 0, 2 * LogFileBytes));
        Assert.Equal(0, await server.StopAsync());
    }

    /// <summary>The log's files in the folder that <c>appsettings.json</c> names, with small ones.</summary>
    private static string[] LogTo(int fileBytes, int files)
    {
        const string File = "--Serilog:WriteTo:0:Args:configure:1:Args:";
        return
        [
            string.Create(CultureInfo.InvariantCulture, $"{File}fileSizeLimitBytes={fileBytes}"),
            string.Create(CultureInfo.InvariantCulture, $"{File}retainedFileCountLimit={files}"),
        ];
    }

    private static async Task<ProcessReading[]> SampleAsync(ServerProcess server, CancellationToken stop)
    {
        List<ProcessReading> samples = [];
        using var timer = new PeriodicTimer(s_sampleInterval);
        while (!stop.IsCancellationRequested)
        {
            await timer.WaitForNextTickAsync(CancellationToken.None);
            samples.Add(ProcessReading.Of(server));
        }

        return [.. samples];
    }

    // The median of each figure: one collection of garbage more or less moves the extremes.
    private static ProcessReading Typical(ProcessReading[] samples) => new(
        Median(samples.Select(static sample => sample.ResidentBytes)),
        (int)Median(samples.Select(static sample => (long)sample.Threads)),
        (int)Median(samples.Select(static sample => (long)sample.OpenFiles)));

    private static long Median(IEnumerable<long> values)
    {
        long[] sorted = [.. values.Order()];
        return sorted[sorted.Length / 2];
    }

    /// <summary>Asks for much, reads nothing until the server closes the connection, and begins again.</summary>
    private static async Task ReadSlowlyAsync(ServerProcess server, string name, CancellationToken stop)
    {
        byte[] echo = RawPeer.Packet(
            (ushort)PacketId.CEchoReq, requestId: 2, new CEchoReq { Payload = ByteString.CopyFrom(new byte[30_000]) }.ToByteArray());
        using var pace = new PeriodicTimer(TimeSpan.FromMilliseconds(500));
        while (!stop.IsCancellationRequested)
        {
            using RawPeer peer = await RawPeer.ConnectAsync(server.Port, receiveBufferBytes: 4096);
            await peer.TrySendAsync(HostileFrames.Login(name));
            for (int i = 0; i < 20; i++)
            {
                await peer.TrySendAsync(echo);
            }

            // A heartbeat is refused once the server has reset the connection.
            byte[] heartbeat = RawPeer.Packet((ushort)PacketId.CHeartbeatNtf, requestId: 0, []);
            while (!stop.IsCancellationRequested && await peer.TrySendAsync(heartbeat))
            {
                await pace.WaitForNextTickAsync(CancellationToken.None);
            }
        }
    }
}
