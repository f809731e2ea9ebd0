using System.Diagnostics;

namespace PlayChat.TestUtilities;

/// <summary>Waits for what other threads will make true, where there is no task to wait on.</summary>
public static class Eventually
{
    /// <summary>Gives way until the condition holds; fails after the hang guard.</summary>
    /// <exception cref="TimeoutException">It never held.</exception>
    public static async Task TrueAsync(Func<bool> condition)
    {
        ArgumentNullException.ThrowIfNull(condition);
        long start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            if (Stopwatch.GetElapsedTime(start) > TestTimeouts.Hang)
            {
                throw new TimeoutException("What the test waits for did not happen.");
            }

            await Task.Yield();
        }
    }
}
