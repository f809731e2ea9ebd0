namespace ArenaServer.Bots;

/// <summary>Waiting that ends without an exception.</summary>
internal static class PeriodicTimerExtensions
{
    /// <returns>False when it was cancelled.</returns>
    public static async ValueTask<bool> NextAsync(this PeriodicTimer timer, CancellationToken cancellationToken)
    {
        try
        {
            return await timer.WaitForNextTickAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }
}
