using Microsoft.Extensions.Logging;

namespace PlayChat.Simulation.Chat;

/// <summary>The server's log. An error is a fault of the server, whatever the clients do.</summary>
internal sealed class WorldLog(ChatWorld world) : ILoggerProvider, ILogger
{
    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (world.IsOver)
        {
            return;
        }

        if (world.Trace.KeepsLines && IsEnabled(logLevel))
        {
            world.Tell($"server: {formatter(state, exception)} {exception}");
        }

        world.Judge.Require(logLevel < LogLevel.Error, "no fault", $"the server logs: {formatter(state, exception)} {exception}");
    }

    public void Dispose()
    {
    }
}
