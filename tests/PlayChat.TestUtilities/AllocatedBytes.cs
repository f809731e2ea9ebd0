namespace PlayChat.TestUtilities;

/// <summary>What a piece of code allocates on its own thread, once caches and pools are warm.</summary>
public static class AllocatedBytes
{
    private const int WarmUpRounds = 200;
    private const int MeasuredRounds = 1000;

    /// <summary>Bytes that 1,000 calls allocate together on this thread.</summary>
    public static long InSteadyState(Action call)
    {
        ArgumentNullException.ThrowIfNull(call);
        for (int i = 0; i < WarmUpRounds; i++)
        {
            call();
        }

        return Least(() =>
        {
            for (int i = 0; i < MeasuredRounds; i++)
            {
                call();
            }
        });
    }

    /// <summary>Bytes that a call allocates on this thread when it is warm. The best of five calls counts: the runtime allocates a little
    /// of its own, and a collection that another thread causes counts what is left of this thread's share.</summary>
    public static long Least(Action call)
    {
        ArgumentNullException.ThrowIfNull(call);
        long least = long.MaxValue;
        for (int attempt = 0; attempt < 5 && least > 0; attempt++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            call();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
