using Microsoft.Extensions.Logging;
using PlayChat.Chat.Configuration;
using PlayChat.Simulation.Cluster;

namespace PlayChat.Simulation.Chat;

/// <summary>A server's log. An error is a fault of the server, whatever the clients do. A start that fails is told to its caller.</summary>
/// <param name="world">Its world.</param>
/// <param name="server">The server's name.</param>
/// <param name="mayFail">Whether something has happened to its node that it may call an error.</param>
internal sealed class WorldLog(ChatWorld world, string server, Func<bool>? mayFail) : ILoggerProvider, ILogger
{
    /// <summary>Whether a stop has left handlers, because they wait for a log that is away.</summary>
    internal bool HasLeftHandlers { get; private set; }

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
            world.Tell($"{server}: {formatter(state, exception)} {exception}");
        }

        HasLeftHandlers |= eventId == NodeLog.HandlersLeft;
        world.Judge.Require(
            logLevel < LogLevel.Error || exception is StartException || mayFail?.Invoke() == true,
            "no fault", $"{server} logs: {formatter(state, exception)} {exception}");
    }

    public void Dispose()
    {
    }
}
