namespace PlayChat.Simulation;

/// <summary>An action as an item of the thread pool.</summary>
internal sealed class WorkItem(Action action) : IThreadPoolWorkItem
{
    public void Execute() => action();
}
