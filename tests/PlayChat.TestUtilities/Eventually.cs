using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace PlayChat.TestUtilities;

/// <summary>Waits for what other threads will make true, where there is no task to wait on.</summary>
/// <remarks>The pauses between two looks grow to 50 ms, so a state that comes and goes between two looks is not seen. Wait on its event
/// instead.</remarks>
public static class Eventually
{
    private const int Yields = 3; // what another thread does at once is seen without a timer
    private const int MaxPauseMilliseconds = 50;

    /// <summary>Looks until the condition holds; fails after the hang guard.</summary>
    /// <exception cref="TimeoutException">The condition never held. The text names it.</exception>
    public static Task TrueAsync(Func<bool> condition, [CallerArgumentExpression(nameof(condition))] string awaited = "")
    {
        ArgumentNullException.ThrowIfNull(condition);
        return GetAsync(() => Task.FromResult(condition()), static holds => holds, TestTimeouts.Hang, awaited);
    }

    /// <summary>Asks until the answer is as wanted; fails after the hang guard.</summary>
    /// <exception cref="TimeoutException">No answer was as wanted. The text has the condition and the last answer.</exception>
    public static Task<T> GetAsync<T>(
        Func<Task<T>> ask, Func<T, bool> isMeant, [CallerArgumentExpression(nameof(isMeant))] string awaited = "")
    {
        ArgumentNullException.ThrowIfNull(ask);
        ArgumentNullException.ThrowIfNull(isMeant);
        return GetAsync(ask, isMeant, TestTimeouts.Hang, awaited);
    }

    internal static async Task<T> GetAsync<T>(Func<Task<T>> ask, Func<T, bool> isMeant, TimeSpan guard, string awaited)
    {
        long start = Stopwatch.GetTimestamp();
        for (int look = 0; ; look++)
        {
            // Taken before the look, and never true of the first: a process that stood still for longer than the guard looks once more.
            bool isLast = look > 0 && Stopwatch.GetElapsedTime(start) > guard;
            T answer = await ask();
            if (isMeant(answer))
            {
                return answer;
            }

            if (isLast)
            {
                throw new TimeoutException($"This did not happen within {guard.TotalSeconds} s: {awaited}. Last: {answer}");
            }

            await PauseAsync(look);
        }
    }

    // 1, 2, 4 … ms: a short wait costs little time, and a long one costs little of a processor.
    private static async Task PauseAsync(int look)
    {
        if (look < Yields)
        {
            await Task.Yield();
            return;
        }

        await Task.Delay(Math.Min(1 << Math.Min(look - Yields, 6), MaxPauseMilliseconds));
    }
}
