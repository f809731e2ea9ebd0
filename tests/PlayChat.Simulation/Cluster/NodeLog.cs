using Microsoft.Extensions.Logging;

namespace PlayChat.Simulation.Cluster;

/// <summary>Notes what a node logs, if the history keeps lines.</summary>
internal sealed class NodeLog(ClusterNode node) : ILoggerFactory, ILogger
{
    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => node.World.Trace.KeepsLines && logLevel >= LogLevel.Information && !node.Process.IsDead;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel))
        {
            node.World.Note($"{node} logs: {formatter(state, exception)} {exception?.Message}");
        }
    }

    public void Dispose()
    {
    }
}
