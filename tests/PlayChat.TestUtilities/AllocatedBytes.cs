namespace PlayChat.TestUtilities;

/// <summary>What a piece of code allocates on its own thread, once caches and pools are warm.</summary>
public static class AllocatedBytes
{
    private const int WarmUpRounds = 200;
    private const int MeasuredRounds = 1000;

    /// <summary>Bytes that 1,000 calls allocate together on this thread. The best of a few tries counts: the runtime allocates a little of
    /// its own.</summary>
    public static long InSteadyState(Action call)
    {
        ArgumentNullException.ThrowIfNull(call);
        for (int i = 0; i < WarmUpRounds; i++)
        {
            call();
        }

        long least = long.MaxValue;
        for (int attempt = 0; attempt < 5 && least > 0; attempt++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < MeasuredRounds; i++)
            {
                call();
            }

            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
