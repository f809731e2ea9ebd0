namespace PlayChat.Cluster;

/// <summary>Wakes one waiting loop. Any number of calls of <see cref="Set"/> before the wait ends it once.</summary>
#pragma warning disable CA1001 // without its wait handle, which nothing asks for, a semaphore holds nothing to dispose
internal sealed class WakeUp
#pragma warning restore CA1001
{
    private readonly SemaphoreSlim _semaphore = new(0);
    private int _isSet;

    public void Set()
    {
        if (Interlocked.Exchange(ref _isSet, 1) == 0)
        {
            _semaphore.Release();
        }
    }

    public Task WaitAsync(CancellationToken cancellationToken) => WaitAsync(Timeout.InfiniteTimeSpan, cancellationToken);

    public async Task WaitAsync(TimeSpan atMost, CancellationToken cancellationToken)
    {
        if (await _semaphore.WaitAsync(atMost, cancellationToken).ConfigureAwait(false))
        {
            // The work that follows sees everything that was written before a later Set.
            Interlocked.Exchange(ref _isSet, 0);
        }
    }
}
