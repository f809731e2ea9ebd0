using System.Text;
using PlayChat.Storage.ChatLog;
using Serilog;
using Serilog.Core;
using Serilog.Events;
using Serilog.Parsing;
using Serilog.Sinks.File;

namespace PlayChat.Chat.ChatLog;

/// <summary>
/// The chat log as files: <c>chat-YYYYMMDD.jsonl</c> in a folder, by Serilog's rolling file, and <c>chat-YYYYMMDD_001.jsonl</c> when that
/// has its size.
/// </summary>
/// <remarks>
/// A batch is one event, so it is one write and one flush. The rolling file is taken out of its logger, which would swallow
/// its errors: here a failed write must come back, so that the batch is tried again. What a full disk took of it is cut off
/// first, so no line is ever torn. When the day's file is moved, the open sink continues to write to the moved file (on Linux; Windows
/// does not let it be moved) until the day, or a failure, ends it; records written after the file was deleted are lost with it.
/// </remarks>
internal sealed class ChatFileSink : IChatLogSink, IDisposable
{
    private static readonly MessageTemplate s_template = new MessageTemplateParser().Parse("");

    private readonly ChatLogSettings _settings;
    private readonly OpenedFile _opened = new();
    private ILogEventSink _file;

    /// <summary>Makes the sink and its folder.</summary>
    /// <exception cref="StartException">Creating the folder failed.</exception>
    public ChatFileSink(ChatLogSettings settings)
    {
        string directory = settings.Directory;
        try
        {
            PrivateFolder.Create(directory);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new StartException($"ChatLog:Directory is '{directory}'; creating this folder failed: {e.Message}", e);
        }

        _settings = settings;
        _file = Open();
    }

    public string Name => "file";

    public Task<int> WriteBatchAsync(IReadOnlyList<ChatRecord> batch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            _opened.CutTorn(); // if it could not be after the failure
            _file.Emit(new LogEvent(
                DateTimeOffset.Now, LogEventLevel.Information, exception: null, s_template, [new LogEventProperty(
                    ChatLogFormatter.BatchProperty, new ScalarValue(batch))]));
            if (!_opened.IsOpen)
            {
                // Serilog treats every error of opening as a lock, does not report it, and drops everything until the next day.
                throw new IOException($"Opening the day file in '{_settings.Directory}' failed.");
            }

            _opened.NoteWritten();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Reopen();
            throw;
        }

        return Task.FromResult(batch.Count);
    }

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

        _file = Open();
        _opened.NoteTorn();
        _opened.CutTorn();
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
                Path.Combine(_settings.Directory, "chat-.jsonl"),
                rollingInterval: RollingInterval.Day,
                rollOnFileSizeLimit: true,
                fileSizeLimitBytes: _settings.FileBytes,
                retainedFileCountLimit: _settings.RetainedFiles > 0 ? _settings.RetainedFiles : null,
                retainedFileTimeLimit: _settings.RetainedDays > 0 ? TimeSpan.FromDays(_settings.RetainedDays) : null,
                hooks: _opened),
            LevelAlias.Minimum,
            levelSwitch: null);
        return file!;
    }

    /// <summary>Knows which file is written, and how much of it is whole.</summary>
    private sealed class OpenedFile : FileLifecycleHooks
    {
        private string? _path;
        private Stream? _stream;
        private long _written;
        private bool _isTorn;

        public bool IsOpen => _stream is { CanWrite: true };

        public override Stream OnFileOpened(string path, Stream underlyingStream, Encoding encoding)
        {
            _path = path;
            _stream = underlyingStream;
            _written = underlyingStream.Length;
            return underlyingStream;
        }

        // Of the open stream: another program may have moved the file.
        public void NoteWritten() => _written = _stream!.Length;

        public void NoteTorn() => _isTorn = _path is not null;

        public void CutTorn()
        {
            if (!_isTorn)
            {
                return;
            }

            try
            {
                using var file = new FileStream(_path!, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
                if (file.Length > _written)
                {
                    file.SetLength(_written);
                }
            }
            catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
            {
                // Moved away or deleted: what comes next is a new file.
            }

            _isTorn = false;
        }
    }
}
