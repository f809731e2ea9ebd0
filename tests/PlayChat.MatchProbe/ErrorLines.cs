using Microsoft.Extensions.Logging;

namespace PlayChat.MatchProbe;

/// <summary>Writes what a node logs to its standard error.</summary>
internal sealed class ErrorLines : ILoggerFactory, ILogger
{
    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        Console.Error.WriteLine($"{logLevel}: {formatter(state, exception)} {exception}");

    public void AddProvider(ILoggerProvider provider)
    {
    }

    public void Dispose()
    {
    }
}
