using System.Collections.Concurrent;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>A collector of OpenTelemetry: takes OTLP over gRPC or over HTTP, as its specification says, and keeps what came.</summary>
internal sealed class OtlpReceiver : IAsyncDisposable
{
    private const int GrpcPrefixBytes = 5; // whether it is compressed, and the length

    private readonly WebApplication _application;
    private readonly ConcurrentQueue<byte[]> _metrics = new();
    private readonly ConcurrentQueue<byte[]> _traces = new();
    private readonly ConcurrentQueue<byte[]> _logs = new();

    private OtlpReceiver(WebApplication application)
    {
        _application = application;
    }

    public string Address => _application.Urls.First();

    /// <summary>The headers "api-key" of all requests.</summary>
    public ConcurrentQueue<string> Keys { get; } = new();

    /// <summary>Every span that came.</summary>
    public OtlpSpan[] Spans =>
    [
        // ResourceSpans, ScopeSpans; a scope's name, and its spans
        .. from scope in _traces.SelectMany(static request => ProtoFields.Find(request, 1, 2))
           from span in ProtoFields.Find(scope, 2)
           select new OtlpSpan(
               ProtoFields.Text(scope, 1, 1),
               ProtoFields.Hex(span, 1),
               ProtoFields.Hex(span, 2),
               ProtoFields.Hex(span, 4),
               ProtoFields.Text(span, 5)),
    ];

    /// <summary>The names of all metrics that came.</summary>
    public HashSet<string> MetricNames =>
    [
        .. _metrics.SelectMany(static request => ProtoFields.Find(request, 1, 2, 2)).Select(static metric => ProtoFields.Text(metric, 1)),
    ];

    /// <summary>The names of those that are histograms.</summary>
    public HashSet<string> HistogramNames =>
    [
        .. _metrics.SelectMany(static request => ProtoFields.Find(request, 1, 2, 2))
            .Where(static metric => ProtoFields.Find(metric, 9).Any())
            .Select(static metric => ProtoFields.Text(metric, 1)),
    ];

    /// <summary>The texts of all log records that came, and the keys of their attributes.</summary>
    public (string Text, string[] Keys)[] LogRecords =>
    [
        .. _logs.SelectMany(static request => ProtoFields.Find(request, 1, 2, 2)).Select(static record =>
            (ProtoFields.Text(record, 5, 1), ProtoFields.Find(record, 6).Select(static key => ProtoFields.Text(key, 1)).ToArray())),
    ];

    /// <summary>The names of the services that sent logs: the attribute service.name of their resources.</summary>
    public string[] Services =>
    [
        .. _logs.SelectMany(static request => ProtoFields.Find(request, 1, 1, 1))
            .Where(static attribute => ProtoFields.Text(attribute, 1) == "service.name")
            .Select(static attribute => ProtoFields.Text(attribute, 2, 1)),
    ];

    /// <summary>Listens on a free port: gRPC needs HTTP/2, the other form HTTP/1.1.</summary>
    public static async Task<OtlpReceiver> StartAsync(bool isGrpc)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders(); // a line for each request hides what the tests print
        builder.WebHost.UseUrls("http://127.0.0.1:0").ConfigureKestrel(kestrel => kestrel.ConfigureEndpointDefaults(
            listen => listen.Protocols = isGrpc ? HttpProtocols.Http2 : HttpProtocols.Http1));
        WebApplication application = builder.Build();
        var receiver = new OtlpReceiver(application);
        foreach ((string path, string service, ConcurrentQueue<byte[]> requests) in new[]
        {
            ("metrics", "metrics.v1.MetricsService", receiver._metrics),
            ("traces", "trace.v1.TraceService", receiver._traces),
            ("logs", "logs.v1.LogsService", receiver._logs),
        })
        {
            string route = isGrpc ? $"/opentelemetry.proto.collector.{service}/Export" : $"/v1/{path}";
            application.MapPost(route, (HttpContext context) => receiver.TakeAsync(context, requests, isGrpc));
        }

        await application.StartAsync().WaitAsync(TestTimeouts.Hang);
        return receiver;
    }

    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private async Task TakeAsync(HttpContext context, ConcurrentQueue<byte[]> requests, bool isGrpc)
    {
        using var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body);
        Keys.Enqueue(context.Request.Headers["api-key"].ToString());
        requests.Enqueue(isGrpc ? body.ToArray()[GrpcPrefixBytes..] : body.ToArray());
        if (isGrpc)
        {
            context.Response.ContentType = "application/grpc";
            await context.Response.Body.WriteAsync(new byte[GrpcPrefixBytes]); // an empty answer
            context.Response.AppendTrailer("grpc-status", "0");
        }
        else
        {
            context.Response.ContentType = "application/x-protobuf";
        }
    }
}
