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

    /// <summary>Asks again and again until the answer is meant; fails after the hang guard.</summary>
    /// <exception cref="TimeoutException">It never was.</exception>
    public static async Task<T> GetAsync<T>(Func<Task<T>> ask, Func<T, bool> isMeant)
    {
        ArgumentNullException.ThrowIfNull(ask);
        ArgumentNullException.ThrowIfNull(isMeant);
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            T answer = await ask();
            if (isMeant(answer))
            {
                return answer;
            }

            if (Stopwatch.GetElapsedTime(start) > TestTimeouts.Hang)
            {
                throw new TimeoutException("What the test waits for did not happen.");
            }
        }
    }
}
