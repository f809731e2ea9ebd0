using System.Runtime.InteropServices;

namespace PlayChat.Storage.Passwords;

/// <summary>Runs long computations on threads that give way to all others.</summary>
/// <remarks>
/// On the thread pool, hashing on every processor let the chat beside it wait for whole time slices: a p99 of 400 to 600 ms where it
/// is 7 ms with these threads. Starting one costs a thousandth of a hash.
/// </remarks>
internal static class LowPriorityThread
{
    // A tenth of the weight of a usual thread: on a busy machine logins are slow, but they end.
    private const int Niceness = 10;

    public static Task<T> RunAsync<T>(Func<T> work)
    {
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        var thread = new Thread(() =>
        {
            try
            {
                LowerPriority();
                done.SetResult(work());
            }
            catch (Exception exception)
            {
                done.SetException(exception);
            }
        })
        {
            Name = "password hash",
            IsBackground = true,
        };
        thread.UnsafeStart();
        return done.Task;
    }

    private static void LowerPriority()
    {
        if (OperatingSystem.IsLinux())
        {
            // The runtime's priorities do nothing here. 0, 0: the calling thread, as Linux has it (POSIX says process: not on macOS).
            _ = SetPriority(0, 0, Niceness);
        }
        else
        {
            Thread.CurrentThread.Priority = ThreadPriority.BelowNormal;
        }
    }

    [DllImport("libc", EntryPoint = "setpriority")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int SetPriority(int which, uint who, int niceness);
}
