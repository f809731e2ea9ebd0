using System.Diagnostics.Tracing;

namespace PlayChat.Chat.Operations.Telemetry;

/// <summary>Logs what the exporters tell of their failures: by themselves they are silent.</summary>
internal sealed class OtlpProblems(ILogger logger) : EventListener
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
