using System.Diagnostics;

namespace PlayChat.Benchmark.Run;

/// <summary>The end of a run: nothing is sent, and outstanding messages arrive.</summary>
internal static class Drain
{
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_resetPatience = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Waits a moment until the server has reset all peers that never read. It does so beside its deliveries, maybe after the last one; a
    /// server that drops messages never does.
    /// </summary>
    public static Task WaitForResetsAsync(Func<bool> allReset) => WaitAsync(allReset, s_resetPatience);

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
