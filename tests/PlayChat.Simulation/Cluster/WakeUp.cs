namespace PlayChat.Simulation.Cluster;

/// <summary>Wakes the loop that waits for it.</summary>
internal sealed class WakeUp
{
    private TaskCompletionSource _set = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal void Set() => _set.TrySetResult();

    internal async Task WaitAsync(CancellationToken cancellationToken)
    {
        await _set.Task.WaitAsync(cancellationToken);
        _set = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
