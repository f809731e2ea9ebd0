using OpenTelemetry.Exporter;
using OpenTelemetry.Resources;

namespace PlayChat.Chat.Operations.Telemetry;

/// <summary>Where telemetry goes, and how this server names itself there.</summary>
internal static class OtlpTarget
{
    /// <remarks>The signal is what it exports, as its path over HTTP: metrics, traces or logs.</remarks>
    public static void Configure(OtlpExporterOptions exporter, OtlpSettings settings, string signal)
    {
        bool isGrpc = settings.Protocol == OtlpProtocol.Grpc;
        exporter.Protocol = isGrpc ? OtlpExportProtocol.Grpc : OtlpExportProtocol.HttpProtobuf;
        exporter.Endpoint = new Uri(isGrpc ? settings.Endpoint : $"{settings.Endpoint.TrimEnd('/')}/v1/{signal}");
        exporter.Headers = settings.Headers.Length == 0 ? null : settings.Headers;
    }

    /// <summary>This server. The variables OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES add to it.</summary>
    public static ResourceBuilder Describe() => ResourceBuilder.CreateEmpty()
        .AddService("playchat", serviceVersion: ServerVersion.Number, serviceInstanceId: Environment.MachineName)
        .AddTelemetrySdk()
        .AddEnvironmentVariableDetector();
}
