namespace PlayChat.Chat.Extensions;

/// <summary>How long code of others may take.</summary>
internal static class TimeLimit
{
    /// <summary>Calls it. A call that does not heed its token is left behind when the time is up.</summary>
    /// <exception cref="TimeoutException">The time was up.</exception>
    public static async ValueTask<TResult> RunAsync<TResult>(
        Func<CancellationToken, ValueTask<TResult>> call, TimeSpan limit, TimeProvider time, CancellationToken cancellationToken)
    {
        using var timer = new CancellationTokenSource(limit, time);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(timer.Token, cancellationToken);
        try
        {
            return await call(stop.Token).AsTask().WaitAsync(stop.Token);
        }
        catch (OperationCanceledException e) when (timer.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw new TimeoutException($"It took longer than {limit.TotalSeconds} s.", e);
        }
    }
}
