using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Telemetry:Otlp</c>: where metrics, traces and logs are sent.</summary>
internal sealed class OtlpSettings
{
    [Option(
        "OpenTelemetry collector that gets metrics, traces and logs, such as http://127.0.0.1:4317.",
        Allowed = "an http or https address, or empty for none")]
    public string Endpoint { get; set; } = "";

    [Option(
        "How the collector is spoken to: gRPC, or protobuf over HTTP, where /v1/metrics, /v1/traces and /v1/logs are added to the "
            + "address.")]
    public OtlpProtocol Protocol { get; set; }

    [Option(
        "Headers of each request, such as an API key. Set them in the environment, since they hold a secret.",
        Allowed = "name=value,name=value, or empty for none")]
    public string Headers { get; set; } = "";

    [Option("How often metrics are sent.", Min = "00:00:00.1", Max = "01:00:00")]
    public TimeSpan MetricInterval { get; set; } = TimeSpan.FromMinutes(1);

    [Option(
        "One in so many packets begins a trace, from its handler over the room's turn and the storage to the deliveries.",
        Min = 1,
        Max = 1_000_000)]
    public int TraceOneIn { get; set; } = 1000;

    [Option(
        "Whether a chat message continues the trace that its client names (trace_parent). Clients then decide how much is traced: only for "
            + "clients that you trust.")]
    public bool ContinueTraces { get; set; }

    /// <exception cref="StartException">The endpoint is no address of a collector.</exception>
    public void Check()
    {
        if (Endpoint.Length > 0
            && (!Uri.TryCreate(Endpoint, UriKind.Absolute, out Uri? address) || address.Scheme is not ("http" or "https")))
        {
            throw new StartException(
                $"Telemetry:Otlp:Endpoint is '{Endpoint}'; allowed is the http or https address of a collector, such as "
                    + "http://127.0.0.1:4317.");
        }
    }
}
