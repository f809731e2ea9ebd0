namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Telemetry</c>.</summary>
internal sealed class TelemetrySettings
{
    public OtlpSettings Otlp { get; set; } = new();
}
