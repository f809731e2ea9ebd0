using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace PlayChat.TestUtilities;

/// <summary>Keeps what is logged. Thread-safe.</summary>
public sealed class RecordingLogger : ILogger, ILoggerFactory
{
    private readonly ConcurrentQueue<(LogLevel Level, string? Event, string Text)> _entries = new();

    /// <summary>Everything so far, in order.</summary>
    public IReadOnlyCollection<(LogLevel Level, string? Event, string Text)> Entries => _entries;

    /// <summary>Called with the event's name after a message is kept, on the thread that logs. A callback that blocks holds that
    /// thread.</summary>
    public Action<string?>? Logged { get; set; }

    /// <summary>How many messages there are of one kind.</summary>
    public int Count(string eventName) => _entries.Count(entry => entry.Event == eventName);

    /// <inheritdoc/>
    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        _entries.Enqueue((logLevel, eventId.Name, formatter(state, exception)));
        Logged?.Invoke(eventId.Name);
    }

    /// <inheritdoc/>
    public bool IsEnabled(LogLevel logLevel) => logLevel > LogLevel.Trace;

    /// <inheritdoc/>
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => this;

    /// <inheritdoc/>
    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    /// <inheritdoc/>
    public void Dispose()
    {
        // Nothing is held.
    }
}
