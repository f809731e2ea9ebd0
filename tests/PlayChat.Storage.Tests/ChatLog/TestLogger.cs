using Microsoft.Extensions.Logging;
using PlayChat.Storage.ChatLog;

namespace PlayChat.Storage.Tests.ChatLog;

/// <summary>Keeps the names of the events that were logged.</summary>
internal sealed class TestLogger : ILogger<ChatLogWriter>
{
    private readonly object _gate = new();

    /// <summary>The names of the events in order, joined by a comma.</summary>
    public string Events { get; private set; } = "";

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        lock (_gate)
        {
            Events = Events.Length == 0 ? $"{eventId.Name}" : $"{Events}, {eventId.Name}";
        }
    }
}
