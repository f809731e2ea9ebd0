using System.Diagnostics;

namespace PlayChat.Benchmark.Run;

/// <summary>The end of a run: nothing is sent, and outstanding messages arrive.</summary>
internal static class Drain
{
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(10);

    /// <summary>Waits until every message has arrived.</summary>
    /// <returns><see langword="false"/> at the timeout.</returns>
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
