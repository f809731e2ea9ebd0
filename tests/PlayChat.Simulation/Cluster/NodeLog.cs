using Microsoft.Extensions.Logging;

namespace PlayChat.Simulation.Cluster;

/// <summary>Notes what a node logs, if the history keeps lines, and that a stop has left handlers.</summary>
internal sealed class NodeLog(ClusterNode node) : ILoggerFactory, ILogger
{
    /// <summary>The event of Core's HostingLog: a stop does not wait for handlers.</summary>
    internal const int HandlersLeft = 1309;

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) =>
        logLevel >= (node.World.Trace.KeepsLines ? LogLevel.Information : LogLevel.Error) && !node.Machine.Process.IsDead;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel))
        {
            return;
        }

        node.World.Note($"{node} logs: {formatter(state, exception)} {exception?.Message}");
        if (eventId == HandlersLeft)
        {
            node.NoteHandlersLeft();
        }
    }

    public void Dispose()
    {
    }
}
