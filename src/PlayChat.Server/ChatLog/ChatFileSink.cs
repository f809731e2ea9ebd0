using PlayChat.Server.Configuration;
using PlayChat.Storage;
using PlayChat.Storage.ChatLog;
using Serilog;
using Serilog.Core;
using Serilog.Events;
using Serilog.Parsing;

namespace PlayChat.Server.ChatLog;

/// <summary>The chat log as files, one a day: <c>chat-YYYYMMDD.jsonl</c> in a folder, by Serilog's rolling file.</summary>
/// <remarks>
/// A batch is one event, so it is one write and one flush. The rolling file is taken out of its logger, which would swallow
/// its errors: here a failed write must come back, so that the batch is tried again.
/// </remarks>
internal sealed class ChatFileSink : IChatLogSink, IDisposable
{
    private static readonly MessageTemplate s_template = new MessageTemplateParser().Parse("");

    private readonly ILogEventSink _file;

    /// <summary>Makes the sink and its folder.</summary>
    /// <exception cref="StartException">The folder cannot be made.</exception>
    public ChatFileSink(string directory)
    {
        try
        {
            Directory.CreateDirectory(directory);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new StartException($"ChatLog:Directory is '{directory}'; this folder cannot be created: {e.Message}", e);
        }

        ILogEventSink? file = null;
        Capture(directory, sink => file = sink);
        _file = file!;
    }

    /// <inheritdoc/>
    public string Name => "file";

    /// <inheritdoc/>
    public Task WriteBatchAsync(IReadOnlyList<ChatRecord> batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        _file.Emit(new LogEvent(
            DateTimeOffset.Now, LogEventLevel.Information, exception: null, s_template, [new LogEventProperty(ChatLogFormatter.BatchProperty, new ScalarValue(batch))]));
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public void Dispose() => (_file as IDisposable)?.Dispose();

    private static void Capture(string directory, Action<ILogEventSink> capture) =>
        Serilog.Configuration.LoggerSinkConfiguration.Wrap(
            new LoggerConfiguration().WriteTo,
            sink =>
            {
                capture(sink);
                return sink;
            },
            files => files.File(
                new ChatLogFormatter(),
                Path.Combine(directory, "chat-.jsonl"),
                rollingInterval: RollingInterval.Day,
                retainedFileCountLimit: null,
                fileSizeLimitBytes: null),
            LevelAlias.Minimum,
            levelSwitch: null);
}
