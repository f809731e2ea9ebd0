using System.Net;
using System.Text.RegularExpressions;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using PlayChat.Chat.Hosting;
using PlayChat.Chat.Operations;
using PlayChat.Chat.Operations.Metrics;
using PlayChat.Core;
using PlayChat.Core.Framing;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Operations;

/// <summary><c>GET /metrics</c> of a server on which players talk.</summary>
public sealed partial class MetricsTests
{
    private const string Reference = "docs/reference/metrics.md";
    private const string UpdateVariable = "PLAYCHAT_UPDATE_GENERATED";
    private const string Begin = "<!-- begin of the generated table -->\n";
    private const string End = "<!-- end of the generated table -->";

    // What the reference promises of a server whose players have sent every kind of packet.
    private const int MaxSeries = 700;

    [Fact]
    public async Task Packets_are_counted_and_timed_by_their_type()
    {
        await using TestServer server = await OperationsServer.StartAsync();
        await TalkAsync(server);

        Dictionary<string, double> samples = await ScrapeAsync(server);

        Assert.Equal(1, samples["playchat_packet_received_total{packet=\"C_LOGIN_REQ\"}"]);
        Assert.Equal(2, samples["playchat_packet_received_total{packet=\"C_ROOM_CHAT_REQ\"}"]);
        Assert.True(samples["playchat_packet_bytes_total{packet=\"C_ROOM_CHAT_REQ\"}"] >= 2 * "hello".Length);
        Assert.Equal(2, samples["playchat_packet_duration_seconds_count{packet=\"C_ROOM_CHAT_REQ\"}"]);
        Assert.Equal(2, samples["playchat_packet_duration_seconds_bucket{packet=\"C_ROOM_CHAT_REQ\",le=\"+Inf\"}"]);
        Assert.Equal(1, samples["playchat_packet_errors_total{packet=\"C_JOIN_ROOM_REQ\",error_type=\"malformed\"}"]);
        Assert.True(samples["playchat_message_duration_seconds_count"] >= 4);
        Assert.True(samples["playchat_db_operation_duration_seconds_count{operation=\"write_account\"}"] >= 1);
        Assert.Equal(1, samples["playchat_connections_active"]);
        Assert.Equal(1, samples["playchat_rooms_by_size{members=\"1\"}"]);
        Assert.Equal(0, samples["playchat_rooms_by_size{members=\"2-9\"}"]);
        Assert.Equal(0, samples["playchat_connections_closed_total{close_reason=\"idle_timeout\"}"]);
        Assert.Equal(0, samples["playchat_draining"]);
        Assert.True(samples["process_cpu_time_seconds_total"] > 0);
    }

    [Fact]
    public async Task A_close_counts_under_its_reason()
    {
        await using TestServer server = await OperationsServer.StartAsync();
        await using (TestClient client = await server.ConnectAsync())
        {
            await client.LoginAsync("ada");
        }

        await Eventually.TrueAsync(() => server.Server.Metrics.ReadAll().Get("playchat.connections.active") == 0);
        Dictionary<string, double> samples = await ScrapeAsync(server);

        Assert.Equal(0, samples["playchat_connections_active"]);
        Assert.Equal(1, samples.Where(static sample => sample.Key.StartsWith("playchat_connections_closed_total", StringComparison.Ordinal))
            .Sum(static sample => sample.Value));
    }

    [Theory]
    [InlineData(null, PrometheusText.TextType, false)]
    [InlineData("*/*", PrometheusText.TextType, false)]
    [InlineData("text/plain;version=0.0.4", PrometheusText.TextType, false)]
    [InlineData("application/openmetrics-text;version=1.0.0,text/plain;q=0.5", PrometheusText.OpenMetricsType, true)]
    [InlineData("application/openmetrics-text;q=0.1,text/plain;q=0.5", PrometheusText.TextType, false)]
    public async Task The_client_chooses_the_format(string? accept, string type, bool hasEnd)
    {
        await using TestServer server = await OperationsServer.StartAsync("--mode=echo");
        using HttpClient http = server.Http();
        using var request = new HttpRequestMessage(HttpMethod.Get, OperationsServer.Path("/metrics"));
        if (accept is not null)
        {
            request.Headers.TryAddWithoutValidation("Accept", accept);
        }

        using HttpResponseMessage response = await http.SendAsync(request).WaitAsync(TestTimeouts.Hang);
        string text = await response.Content.ReadAsStringAsync();

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(type, response.Content.Headers.ContentType!.ToString());
        Assert.Equal(hasEnd, text.EndsWith("\n# EOF\n", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_metrics_need_the_token()
    {
        await using TestServer server = await OperationsServer.StartAsync("--Operations:Token=0123456789abcdef");
        using HttpClient http = server.Http();

        using HttpResponseMessage response = await http.GetAsync(OperationsServer.Path("/metrics")).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(HttpStatusCode.Unauthorized, response.StatusCode);
    }

    [Fact]
    public async Task While_the_server_starts_it_has_no_metrics()
    {
        await using TestServer server = await TestServer.StartInAsync(
            null,
            static services => services.Insert(
                services.IndexOf(services.Single(static service => service.ImplementationType == typeof(ChatStorage))),
                ServiceDescriptor.Singleton<IHostedService, EarlyScrape>()),
            "--Operations:Enabled=true",
            "--Operations:Address=127.0.0.1:0");

        Assert.Equal(
            HttpStatusCode.ServiceUnavailable, server.Get<IEnumerable<IHostedService>>().OfType<EarlyScrape>().Single().Status);
    }

    [Fact]
    public async Task Another_server_of_the_process_is_not_in_the_metrics()
    {
        await using TestServer busy = await OperationsServer.StartAsync();
        await using TestServer idle = await OperationsServer.StartAsync();
        await TalkAsync(busy);

        Dictionary<string, double> samples = await ScrapeAsync(idle);

        Assert.Equal(0, samples["playchat_frames_received_total"]);
        Assert.All(
            samples.Where(static sample => sample.Key.StartsWith("playchat_packet_", StringComparison.Ordinal)),
            static sample => Assert.Equal(0, sample.Value));
    }

    [Fact]
    public async Task The_reference_lists_every_metric()
    {
        using var folder = new TemporaryDirectory();
        await using TestServer server = await OperationsServer.StartAsync(
            "--Webhooks:Targets:0:Url=https://127.0.0.1", // a private address, so nothing is sent
            "--Webhooks:Targets:0:Secret=whsec_" + Convert.ToBase64String(new byte[32]),
            $"--Webhooks:OutboxFile={folder.Combine("webhooks.db")}");
        await TalkAsync(server);
        IReadOnlyList<MetricFamily> families = server.Get<MetricsPart>().Read();

        string path = Repository.PathOf(Reference);
        string current = (await File.ReadAllTextAsync(path)).ReplaceLineEndings("\n");
        int from = current.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        string expected = string.Concat(
            current.AsSpan(0, from), Describe(families), current.AsSpan(current.IndexOf(End, StringComparison.Ordinal)));
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            await File.WriteAllTextAsync(path, expected);
            current = expected;
        }

        Assert.True(
            current == expected,
            $"{Reference} differs from the metrics of the server. Run this and commit the file:\n"
                + $"{UpdateVariable}=1 dotnet test tests/PlayChat.Server.Tests --filter {nameof(MetricsTests)}");
        string[] lines = PrometheusText.Write(families, isOpenMetrics: false).Split('\n');
        Assert.InRange(lines.Count(static line => !line.StartsWith('#')), 1, MaxSeries);
    }

    [Theory]
    [InlineData("deploy/prometheus/alerts.yml")]
    [InlineData("deploy/prometheus/alerts.test.yml")]
    [InlineData("deploy/prometheus/grafana-dashboard.json")]
    [InlineData("docs/how-to/monitor-with-prometheus.md")]
    [InlineData("docs/how-to/diagnose.md")]
    public async Task Every_metric_that_is_named_exists(string file)
    {
        await using TestServer server = await OperationsServer.StartAsync();
        await TalkAsync(server);
        var known = (await ScrapeAsync(server)).Keys.Select(static key => key.Split('{')[0]).ToHashSet(StringComparer.Ordinal);

        string text = await File.ReadAllTextAsync(Repository.PathOf(file));
        string[] named = [.. MetricInText().Matches(text).Select(static match => match.Value).Distinct(StringComparer.Ordinal)];

        Assert.True(named.Length > 3);
        Assert.Empty(named.Except(known, StringComparer.Ordinal));
    }

    /// <summary>A player creates a room, talks, and sends a body that is no message of its packet.</summary>
    private static async Task TalkAsync(TestServer server)
    {
        TestClient client = await server.ConnectAsync();
        await client.LoginAsync("ada", "secret 1234");
        long roomId = (await client.CreateAsync("lobby")).RoomId;
        await client.SayAsync(roomId, "hello");
        await client.SayAsync(roomId, "hello");
        Assert.True(client.Connection.Send([0xFF], new FrameHeader(ChatPackets.CJoinRoomReq.Id, 77)));
        await client.NextAnswerAsync(77);
    }

    private static async Task<Dictionary<string, double>> ScrapeAsync(TestServer server)
    {
        using HttpClient http = server.Http();
        string text = await http.GetStringAsync(OperationsServer.Path("/metrics")).WaitAsync(TestTimeouts.Hang);
        return text.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Where(static line => !line.StartsWith('#'))
            .ToDictionary(
                static line => line[..line.LastIndexOf(' ')],
                static line => double.Parse(line[(line.LastIndexOf(' ') + 1)..], System.Globalization.CultureInfo.InvariantCulture),
                StringComparer.Ordinal);
    }

    private static string Describe(IEnumerable<MetricFamily> families) =>
        "| metric | type | labels | meaning |\n| --- | --- | --- | --- |\n"
        + string.Concat(families.OrderBy(static family => family.Name, StringComparer.Ordinal).Select(static family =>
        {
            string labels = family.Values.Select(static value => value.Key)
                .Concat(family.Histograms.Select(static histogram => histogram.Key)).FirstOrDefault("");
            string names = string.Join(", ", LabelName().Matches(labels).Select(static match => $"`{match.Groups["name"].Value}`"));
            string name = family.Kind == MetricKind.Counter ? family.Name + "_total" : family.Name;
            return $"| `{name}` | {family.Kind.ToString().ToLowerInvariant()} | {names} | {family.Help} |\n";
        }));


    [GeneratedRegex(@"(?<name>[a-z_]+)=""", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex LabelName();

    [GeneratedRegex(@"\b(playchat|process|dotnet)_[a-z0-9_]*[a-z]\b", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex MetricInText();

    /// <summary>Asks for the metrics before the database is open.</summary>
    internal sealed class EarlyScrape(OperationsEndpoint endpoint) : IHostedService
    {
        public HttpStatusCode Status { get; private set; }

        public async Task StartAsync(CancellationToken cancellationToken)
        {
            using var http = new HttpClient { BaseAddress = endpoint.Address };
            using HttpResponseMessage response = await http.GetAsync(OperationsServer.Path("/metrics"), cancellationToken);
            Status = response.StatusCode;
        }

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
