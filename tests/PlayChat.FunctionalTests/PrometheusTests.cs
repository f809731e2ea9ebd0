using System.ComponentModel;
using System.Net;
using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>A real Prometheus, and its tool, with the files in deploy/prometheus and a real server.</summary>
public sealed class PrometheusTests : IDisposable
{
    private const int NotFound = 127; // the shell's exit code when there is no such program
    private const string SkipReason = "There is no prometheus on the PATH (package prometheus).";

    private static readonly string s_files = Repository.PathOf("deploy/prometheus");

    private readonly TemporaryDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("check", "config", "prometheus.yml")]
    [InlineData("check", "rules", "alerts.yml")]
    [InlineData("test", "rules", "alerts.test.yml")]
    public async Task Promtool_accepts_the_files(string verb, string kind, string file)
    {
        await using ProgramProcess promtool = Start("promtool", verb, kind, Path.Combine(s_files, file));

        Assert.True(await promtool.WaitForExitAsync() == 0, promtool.Describe());
    }

    [Fact]
    public async Task Promtool_finds_no_fault_in_the_metrics()
    {
        await using ServerProcess server = await StartServerAsync();
        await using ChatClient player = await TalkAsync(server);
        using var http = new HttpClient();
        string file = _folder.Combine("metrics.txt");
        await File.WriteAllTextAsync(file, await http.GetStringAsync(await MetricsUrlAsync(server)), TestContext.Current.CancellationToken);

        await using ProgramProcess promtool = Start("sh", "-c", $"promtool check metrics < '{file}'");

        int exitCode = await promtool.WaitForExitAsync();
        Assert.SkipWhen(exitCode == NotFound, SkipReason);
        Assert.True(exitCode == 0, promtool.Describe());
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Prometheus_scrapes_the_server_and_evaluates_alerts_and_dashboard()
    {
        await using ServerProcess server = await StartServerAsync();
        await using ChatClient player = await TalkAsync(server);
        Uri target = await MetricsUrlAsync(server);
        string configuration = (await File.ReadAllTextAsync(Path.Combine(s_files, "prometheus.yml")))
            .Replace("scrape_interval: 15s", "scrape_interval: 200ms", StringComparison.Ordinal)
            .Replace("evaluation_interval: 15s", "evaluation_interval: 200ms", StringComparison.Ordinal)
            .Replace("- alerts.yml", "- " + Path.Combine(s_files, "alerts.yml"), StringComparison.Ordinal)
            .Replace("127.0.0.1:7781", target.Authority, StringComparison.Ordinal);
        Assert.Contains(target.Authority, configuration, StringComparison.Ordinal);
        await File.WriteAllTextAsync(_folder.Combine("prometheus.yml"), configuration);
        await using ProgramProcess prometheus = Start(
            "sh", "-c", "exec prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address=127.0.0.1:0 2>&1");
        using var http = new HttpClient { BaseAddress = new Uri("http://" + await ListeningAsync(prometheus)) };
        // It listens, and answers every query with 503, before it has opened its database.
        await Eventually.GetAsync(() => StatusAsync(http, "/-/ready"), static status => status == HttpStatusCode.OK);

        JsonElement up = await Eventually.GetAsync(
            () => QueryAsync(http, "up{job=\"playchat\"} == 1"), static result => result.GetArrayLength() == 1);
        Assert.Equal(target.Authority, up[0].GetProperty("metric").GetProperty("instance").GetString());
        Assert.Equal("1", await ValueAsync(http, "playchat_connections_active"));
        Assert.Equal("2", await ValueAsync(http, "playchat_packet_received_total{packet=\"C_ROOM_CHAT_REQ\"}"));
        Assert.Equal("2", await ValueAsync(http, "playchat_packet_duration_seconds_count{packet=\"C_ROOM_CHAT_REQ\"}"));

        await Eventually.GetAsync(
            () => RulesAsync(http),
            static rules => rules.Length == 10 && rules.All(static rule => rule.GetProperty("health").GetString() == "ok"));
        foreach (string expression in DashboardQueries("grafana-dashboard.json").Concat(DashboardQueries("grafana-game-server.json")))
        {
            await QueryAsync(http, expression); // fails when Prometheus does not accept it
        }
    }

    private static async Task<ChatClient> TalkAsync(ServerProcess server)
    {
        ChatClient player = await Players.LoginAsync(server, "ada");
        SCreateRoomRes room = await player.CreateRoomAsync("lobby");
        await player.ChatAsync(room.RoomId, "hello");
        await player.ChatAsync(room.RoomId, "hello");
        return player;
    }

    private static Task<ServerProcess> StartServerAsync() =>
        ServerProcess.StartAsync("--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0");

    private static async Task<Uri> MetricsUrlAsync(ServerProcess server) => new(await server.WaitForOperationsAsync(), "metrics");

    private static async Task<string> ListeningAsync(ProgramProcess prometheus)
    {
        // msg="Listening on" address=127.0.0.1:43323
        string line = await prometheus.WaitForLineAsync(static line =>
            line.Contains("not found", StringComparison.Ordinal) || line.Contains("Listening on", StringComparison.Ordinal));
        Assert.SkipWhen(line.Contains("not found", StringComparison.Ordinal), SkipReason);
        return line[(line.LastIndexOf('=') + 1)..];
    }

    private static async Task<HttpStatusCode> StatusAsync(HttpClient http, string path)
    {
        using HttpResponseMessage response = await http.GetAsync(new Uri(path, UriKind.Relative));
        return response.StatusCode;
    }

    private static async Task<JsonElement> QueryAsync(HttpClient http, string expression)
    {
        using HttpResponseMessage response =
            await http.GetAsync(new Uri("/api/v1/query?query=" + Uri.EscapeDataString(expression), UriKind.Relative));
        string text = await response.Content.ReadAsStringAsync();
        Assert.True(response.IsSuccessStatusCode, $"{expression}: {text}");
        return JsonDocument.Parse(text).RootElement.GetProperty("data").GetProperty("result");
    }

    private static async Task<string> ValueAsync(HttpClient http, string expression)
    {
        JsonElement result = await Eventually.GetAsync(
            () => QueryAsync(http, expression), static result => result.GetArrayLength() == 1);
        return result[0].GetProperty("value")[1].GetString()!;
    }

    private static async Task<JsonElement[]> RulesAsync(HttpClient http)
    {
        using var rules = JsonDocument.Parse(await http.GetStringAsync(new Uri("/api/v1/rules", UriKind.Relative)));
        return
        [
            .. rules.RootElement.GetProperty("data").GetProperty("groups").EnumerateArray()
                .SelectMany(static group => group.GetProperty("rules").EnumerateArray()).Select(static rule => rule.Clone()),
        ];
    }

    private static IEnumerable<string> DashboardQueries(string file)
    {
        using var dashboard = JsonDocument.Parse(File.ReadAllText(Path.Combine(s_files, file)));
        string[] queries =
        [
            .. dashboard.RootElement.GetProperty("panels").EnumerateArray()
                .SelectMany(static panel => panel.GetProperty("targets").EnumerateArray())
                .Select(static target => target.GetProperty("expr").GetString()!),
        ];
        Assert.True(queries.Length > 8);
        // What Grafana puts in place of its variables.
        return queries.Select(static query => query.Replace("$job", "playchat", StringComparison.Ordinal)
            .Replace("$instance", ".+", StringComparison.Ordinal)
            .Replace("$__rate_interval", "1m", StringComparison.Ordinal));
    }

    private ProgramProcess Start(string program, params string[] arguments)
    {
        try
        {
            return ProgramProcess.Start(program, _folder.Path, arguments);
        }
        catch (Win32Exception)
        {
            Assert.Skip(SkipReason);
            throw;
        }
    }
}
