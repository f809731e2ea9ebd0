using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Limit;

namespace PlayChat.Benchmark.Tests.Limit;

/// <summary>The load generators in C find what a server does wrong, and nothing where it is right.</summary>
[Trait("Tier", "Full")]
public sealed class NativeLoadTests : IDisposable
{
    private static readonly string[] s_short = ["--warmup", "0.1", "--duration", "0.5"];

    private readonly LimitMachine _machine = new("0", "1");

    public void Dispose() => _machine.Dispose();

    [Theory]
    [InlineData("E1", "cecho", "loadgen --conns 20 --inflight 4 --drain 0.5")]
    [InlineData("F1", "cbcast --rooms 4", "bcastload --conns 20 --rooms 4 --rate 20 --mix 64:80,256:18,1500:2 --drain 0.5")]
    [InlineData("K8", "ctick --rooms 4 --hertz 50 --size 76", "tickload --conns 20 --hertz 50")]
    public async Task A_load_finds_nothing_wrong_with_the_server_in_c(string scenario, string server, string load)
    {
        await BuildAsync(scenario);
        await using var process = new RunningProcess([.. Words(server), "--port", "0"], _machine.Folder);
        await process.ListenAsync(CancellationToken.None);

        (int code, JsonObject report) = await LoadAsync(load, process.Port);

        Assert.Equal(0, code);
        Assert.NotNull(report["rate"]);
        Assert.Null(LimitFigures.FaultsOf(report));
    }

    [Fact]
    public async Task A_load_of_ticks_finds_those_that_do_not_come()
    {
        await BuildAsync("K8");
        await using var process = new RunningProcess([.. Words("ctick --rooms 1 --hertz 50"), "--port", "0"], _machine.Folder);
        await process.ListenAsync(CancellationToken.None);

        (int code, JsonObject report) = await LoadAsync("tickload --conns 2 --hertz 100", process.Port);

        Assert.Equal(1, code);
        Assert.True(ReportFigures.Read(report, "lost") > 0, report.ToJsonString());
    }

    [Theory]
    [InlineData("a byte is changed")]
    [InlineData("a byte is added")]
    [InlineData("a receive is swallowed")]
    [InlineData("the connection is closed")]
    public async Task A_load_finds_what_an_echo_server_does_wrong(string fault)
    {
        await BuildAsync("E1");
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        Task serving = ServeAsync(listener, fault);

        (int code, JsonObject report) = await LoadAsync(
            "loadgen --conns 1 --inflight 4 --drain 0.5", ((IPEndPoint)listener.LocalEndpoint).Port);

        await serving;
        Assert.Equal(1, code);
        Assert.True(
            ((string[])["errors", "closed", "incomplete"]).Any(key => ReportFigures.Read(report, key) > 0), report.ToJsonString());
    }

    // Echoes to one connection, but does one thing wrong, once.
    private static async Task ServeAsync(TcpListener listener, string fault)
    {
        using Socket peer = await listener.AcceptSocketAsync();
        byte[] buffer = new byte[64 * 1024];
        try
        {
            for (int received = 0, batch = 1; (received = await peer.ReceiveAsync(buffer.AsMemory(..^1))) > 0; batch++)
            {
                bool wrong = batch == 10;
                if (wrong && fault == "the connection is closed")
                {
                    return;
                }

                buffer[received / 2] ^= (byte)(wrong && fault == "a byte is changed" ? 1 : 0);
                int sent = !wrong ? received
                    : fault == "a receive is swallowed" ? 0
                    : fault == "a byte is added" ? received + 1
                    : received;
                await peer.SendAsync(buffer.AsMemory(0, sent));
            }
        }
        catch (SocketException)
        {
            // The load has closed a connection whose bytes were wrong.
        }
    }

    private string[] Words(string command) => Path.Combine(_machine.Folder, command).Split(' ');

    private Task BuildAsync(string scenario)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists("/usr/bin/cc"), "There is no Linux with a C compiler.");
        return _machine.BuildAsync(LimitScenarios.Choose([scenario]), CancellationToken.None);
    }

    private async Task<(int Code, JsonObject Report)> LoadAsync(string load, int port)
    {
        await using var process = new RunningProcess(
            [.. Words(load), "--port", port.ToString(CultureInfo.InvariantCulture), .. s_short], _machine.Folder);
        int code = await process.EndAsync();
        return (code, LimitFigures.OfLoad(process.Output) ?? throw new InvalidOperationException(process.LastWords));
    }
}
