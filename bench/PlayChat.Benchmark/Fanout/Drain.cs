using System.Diagnostics;

namespace PlayChat.Benchmark.Fanout;

/// <summary>The end of a run: nothing is sent any more, and what is under way arrives.</summary>
internal static class Drain
{
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(10);

    /// <summary>Waits until all has come.</summary>
    /// <returns><see langword="false"/> when it had not in time.</returns>
    public static async Task<bool> WaitAsync(Func<bool> allCame, TimeSpan timeout)
    {
        long began = Stopwatch.GetTimestamp();
        while (!allCame())
        {
            if (Stopwatch.GetElapsedTime(began) >= timeout)
            {
                return false;
            }

            await Task.Delay(s_step);
        }

        return true;
    }
}
