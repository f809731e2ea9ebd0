using System.Text;
using PlayChat.Server.Configuration;
using PlayChat.Storage;
using PlayChat.Storage.ChatLog;
using Serilog;
using Serilog.Core;
using Serilog.Events;
using Serilog.Parsing;
using Serilog.Sinks.File;

namespace PlayChat.Server.ChatLog;

/// <summary>The chat log as files, one a day: <c>chat-YYYYMMDD.jsonl</c> in a folder, by Serilog's rolling file.</summary>
/// <remarks>
/// A batch is one event, so it is one write and one flush. The rolling file is taken out of its logger, which would swallow
/// its errors: here a failed write must come back, so that the batch is tried again. What a full disk took of it is cut off
/// first, so no line is ever torn.
/// </remarks>
internal sealed class ChatFileSink : IChatLogSink, IDisposable
{
    private static readonly MessageTemplate s_template = new MessageTemplateParser().Parse("");

    private readonly string _directory;
    private readonly OpenedFile _opened = new();
    private ILogEventSink _file;

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

        _directory = directory;
        _file = Open();
    }

    /// <inheritdoc/>
    public string Name => "file";

    /// <inheritdoc/>
    public Task WriteBatchAsync(IReadOnlyList<ChatRecord> batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            _file.Emit(new LogEvent(
                DateTimeOffset.Now, LogEventLevel.Information, exception: null, s_template, [new LogEventProperty(ChatLogFormatter.BatchProperty, new ScalarValue(batch))]));
            _opened.NoteWritten();
        }
        catch (IOException)
        {
            Reopen();
            throw;
        }

        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public void Dispose() => (_file as IDisposable)?.Dispose();

    private void Reopen()
    {
        try
        {
            Dispose(); // gives what it still holds to the disk, or fails to
        }
        catch (IOException)
        {
            // The disk is full: what it holds comes again.
        }

        _opened.CutToWritten();
        _file = Open();
    }

    private ILogEventSink Open()
    {
        ILogEventSink? file = null;
        Serilog.Configuration.LoggerSinkConfiguration.Wrap(
            new LoggerConfiguration().WriteTo,
            sink =>
            {
                file = sink;
                return sink;
            },
            files => files.File(
                new ChatLogFormatter(),
                Path.Combine(_directory, "chat-.jsonl"),
                rollingInterval: RollingInterval.Day,
                retainedFileCountLimit: null,
                fileSizeLimitBytes: null,
                hooks: _opened),
            LevelAlias.Minimum,
            levelSwitch: null);
        return file!;
    }

    /// <summary>Knows which file is written, and how much of it is whole.</summary>
    private sealed class OpenedFile : FileLifecycleHooks
    {
        private string? _path;
        private long _written;

        public override Stream OnFileOpened(string path, Stream underlyingStream, Encoding encoding)
        {
            _path = path;
            _written = underlyingStream.Length;
            return underlyingStream;
        }

        public void NoteWritten() => _written = new FileInfo(_path!).Length;

        public void CutToWritten()
        {
            if (_path is not null)
            {
                using var file = new FileStream(_path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
                file.SetLength(_written);
            }
        }
    }
}
