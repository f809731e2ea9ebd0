using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using PlayChat.Chat.Operations.Metrics;

namespace PlayChat.Chat.Operations.Telemetry;

/// <summary>Sends metrics and traces to a collector. Not made unless <c>Telemetry:Otlp:Endpoint</c> is set.</summary>
/// <remarks>
/// It is among the first services to start and the last to stop. A collector that is away costs what its queue holds; the rest is dropped,
/// and the log says so.
/// </remarks>
internal sealed class OtlpExport(ServerSettings settings, ServerInstruments instruments, ILogger<OtlpExport> logger)
    : IHostedService, IDisposable
{
    private const string Names = "PlayChat.*";
    private const int FlushMilliseconds = 5000;

    private OtlpProblems? _problems;
    private MeterProvider? _meters;
    private TracerProvider? _traces;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _ = instruments; // named so that they exist
        OtlpSettings otlp = settings.Telemetry.Otlp;
        _problems = new OtlpProblems(logger);
        _meters = Sdk.CreateMeterProviderBuilder()
            .SetResourceBuilder(OtlpTarget.Describe())
            .AddMeter(Names)
            .AddView(ViewOf)
            .AddOtlpExporter((exporter, reader) =>
            {
                OtlpTarget.Configure(exporter, otlp, "metrics");
                reader.PeriodicExportingMetricReaderOptions.ExportIntervalMilliseconds = (int)otlp.MetricInterval.TotalMilliseconds;
            })
            .Build();
        _traces = Sdk.CreateTracerProviderBuilder()
            .SetResourceBuilder(OtlpTarget.Describe())
            .AddSource(Names)
            .SetSampler(new AlwaysOnSampler()) // PacketRouter has chosen already, before it began a span
            .AddOtlpExporter(exporter => OtlpTarget.Configure(exporter, otlp, "traces"))
            .Build();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.Run(
        () =>
        {
            _traces?.ForceFlush(FlushMilliseconds);
            _meters?.ForceFlush(FlushMilliseconds);
            Dispose();
        },
        CancellationToken.None);

    public void Dispose()
    {
        _traces?.Dispose();
        _meters?.Dispose();
        _problems?.Dispose();
    }

    private static MetricStreamConfiguration? ViewOf(Instrument instrument) =>
        MeterReader.IsQuantile(instrument) ? MetricStreamConfiguration.Drop
        : instrument is Histogram<double> ? new ExplicitBucketHistogramConfiguration { Boundaries = HistogramValue.Bounds }
        : null;

    /// <summary>Logs what the exporters tell of their failures: by themselves they are silent.</summary>
    private sealed class OtlpProblems(ILogger logger) : EventListener
    {
        private const string Exporter = "OpenTelemetry-Exporter-OpenTelemetryProtocol";

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == Exporter)
            {
                EnableEvents(eventSource, EventLevel.Warning);
            }
        }

        // The base class calls this from its constructor's callbacks as well, when there is no logger yet.
        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            object?[] values = eventData.Payload is null ? [] : [.. eventData.Payload];
            string text = eventData.Message is { } message
                ? string.Format(CultureInfo.InvariantCulture, message, values)
                : eventData.EventName!;
            int end = text.IndexOf('\n', StringComparison.Ordinal); // the rest is a stack trace
            if (logger is not null)
            {
                ServerLog.TelemetryNotSent(logger, end < 0 ? text : text[..end].TrimEnd());
            }
        }
    }
}
