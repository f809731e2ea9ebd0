using System.Runtime.InteropServices;

namespace PlayChat.Benchmark.Pacing;

/// <summary>Sleeps for parts of a millisecond without occupying a processor, where the system supports it.</summary>
/// <remarks>
/// <see cref="Thread.Sleep(int)"/> counts in milliseconds. Latency counts from the planned time, so every latency would contain that error.
/// nanosleep wakes about 60 µs late on Linux. On Windows the error is a millisecond or more, which send_lag_us shows.
/// </remarks>
internal static class PreciseSleep
{
    private static readonly bool s_hasNanosleep = !OperatingSystem.IsWindows();

    public static void For(long nanoseconds)
    {
        if (nanoseconds <= 0)
        {
            return;
        }

        if (s_hasNanosleep)
        {
            var time = new TimeSpec { Seconds = (nint)(nanoseconds / 1_000_000_000), Nanoseconds = (nint)(nanoseconds % 1_000_000_000) };
            _ = Nanosleep(in time, 0); // a signal may wake it early: the caller reads the clock again
        }
        else
        {
            Thread.Sleep(TimeSpan.FromMicroseconds(Math.Max(1000, nanoseconds / 1000d)));
        }
    }

    [DllImport("libc", EntryPoint = "nanosleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Nanosleep(in TimeSpec request, nint remaining);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
