using System.Collections.Concurrent;
using OpenTelemetry.Logs;
using Serilog.Core;
using Serilog.Events;

namespace PlayChat.Chat.Operations.Telemetry;

/// <summary>
/// Sends the lines of the log to a collector: those that pass the levels and the flood filter, as console and file get them.
/// </summary>
internal sealed class OtlpLogSink(OtlpSettings settings) : ILogEventSink, IDisposable
{
    private readonly ILoggerFactory _loggers = LoggerFactory.Create(logging => logging
        .SetMinimumLevel(LogLevel.Trace)
        .AddOpenTelemetry(options =>
        {
            options.IncludeFormattedMessage = true;
            options.SetResourceBuilder(OtlpTarget.Describe());
            options.AddOtlpExporter(exporter => OtlpTarget.Configure(exporter, settings, "logs"));
        }));

    private readonly ConcurrentDictionary<string, ILogger> _bySource = new(StringComparer.Ordinal);

    public void Emit(LogEvent logEvent)
    {
        if (logEvent.MessageTemplate.Text == ServerLog.TelemetryNotSentText)
        {
            return; // that nothing could be sent is not worth another attempt
        }

        string source = EventLines.ValueOf(logEvent, Constants.SourceContextPropertyName) as string ?? "PlayChat.Server";
        ILogger logger = _bySource.GetOrAdd(source, _loggers.CreateLogger);
        var id = logEvent.Properties.GetValueOrDefault("EventId") as StructureValue;
        List<KeyValuePair<string, object?>> values =
        [
            .. logEvent.Properties
                .Where(static property => property.Key is not ("EventId" or Constants.SourceContextPropertyName))
                .Select(static property => KeyValuePair.Create(property.Key, Plain(property.Value))),
        ];
        logger.Log(
            LevelOf(logEvent.Level),
            new EventId(Convert.ToInt32(Part(id, "Id") ?? 0, CultureInfo.InvariantCulture), Part(id, "Name")?.ToString()),
            values,
            logEvent.Exception,
            (_, _) => logEvent.RenderMessage(CultureInfo.InvariantCulture));
    }

    public void Dispose() => _loggers.Dispose();

    private static LogLevel LevelOf(LogEventLevel level) => (LogLevel)(int)level; // both count from the finest, 0, to the gravest, 5

    private static object? Part(StructureValue? structure, string name) =>
        structure?.Properties.FirstOrDefault(property => property.Name == name)?.Value is ScalarValue scalar ? scalar.Value : null;

    private static object? Plain(LogEventPropertyValue value) => value is not ScalarValue scalar ? value.ToString()
        : scalar.Value is string or bool or int or long or double or null ? scalar.Value
        : Convert.ToString(scalar.Value, CultureInfo.InvariantCulture);
}
