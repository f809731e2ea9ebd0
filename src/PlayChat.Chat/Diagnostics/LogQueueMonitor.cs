using Serilog.Sinks.Async;

namespace PlayChat.Chat.Diagnostics;

/// <summary>Watches the bounded queue between the program and the log's console and file. Named in appsettings.json.</summary>
internal sealed class LogQueueMonitor : IAsyncLogEventSinkMonitor
{
    private volatile IAsyncLogEventSinkInspector? _inspector;
    private long _droppedBefore; // by queues that have ended

    /// <summary>The one that the configuration names: Serilog reads it from this property.</summary>
    public static LogQueueMonitor Instance { get; } = new();

    /// <summary>Lines that were dropped because the queue was full.</summary>
    public long Dropped => Interlocked.Read(ref _droppedBefore) + (_inspector?.DroppedMessagesCount ?? 0);

    public void StartMonitoring(IAsyncLogEventSinkInspector inspector) => _inspector = inspector;

    public void StopMonitoring(IAsyncLogEventSinkInspector inspector)
    {
        Interlocked.Add(ref _droppedBefore, inspector.DroppedMessagesCount);
        _inspector = null;
    }
}
