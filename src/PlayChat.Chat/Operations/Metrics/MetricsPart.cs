using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Net.Http.Headers;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Chat.Operations.Metrics;

/// <summary><c>GET /metrics</c>, for Prometheus and other programs that read its formats.</summary>
internal sealed class MetricsPart(PlayChatServer server, MeterReader meters, IHostApplicationLifetime lifetime) : IOperationsPart
{
    public void Map(IEndpointRouteBuilder routes) => routes.MapArea("status").MapGet("/metrics", AnswerAsync);

    public IReadOnlyList<MetricFamily> Read()
    {
        MetricsReading reading = server.Metrics.ReadAll();
        return
        [
            .. meters.Read(),
            MetricFamily.Of(
                "playchat_message_duration_seconds",
                "From the receipt of a frame to the hand-over of what it caused to the sockets.",
                HistogramValue.FromBuckets(reading.LatencyBuckets, reading.LatencySumNanoseconds)),
            MetricFamily.Of(
                "playchat_room_tick_drift_seconds",
                "From when a room's tick was due to when it ran.",
                HistogramValue.FromBuckets(reading.TickDriftBuckets, reading.TickDriftSumNanoseconds)),
        ];
    }

    private Task AnswerAsync(HttpContext context)
    {
        context.Response.Headers.CacheControl = "no-store";
        // The endpoint starts before the server, whose figures are not there yet.
        if (!lifetime.ApplicationStarted.IsCancellationRequested)
        {
            context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            return context.Response.WriteAsync("The server is starting. Ask again in a moment.\n", context.RequestAborted);
        }

        bool isOpenMetrics = WantsOpenMetrics(context.Request);
        context.Response.ContentType = isOpenMetrics ? PrometheusText.OpenMetricsType : PrometheusText.TextType;
        return context.Response.WriteAsync(PrometheusText.Write(Read(), isOpenMetrics), context.RequestAborted);
    }

    // Whichever of the two the client prefers. A client that names neither gets the older one, which is readable in a browser.
    private static bool WantsOpenMetrics(HttpRequest request) => request.GetTypedHeaders().Accept
        .OrderByDescending(static accepted => accepted.Quality ?? 1)
        .FirstOrDefault(static accepted =>
            IsOpenMetrics(accepted) || accepted.MediaType.Equals("text/plain", StringComparison.OrdinalIgnoreCase))
        is { } preferred && IsOpenMetrics(preferred);

    private static bool IsOpenMetrics(MediaTypeHeaderValue accepted) =>
        accepted.MediaType.Equals("application/openmetrics-text", StringComparison.OrdinalIgnoreCase);
}
