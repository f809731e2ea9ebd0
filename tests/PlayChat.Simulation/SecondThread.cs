namespace PlayChat.Simulation;

/// <summary>Runs an action on a thread of its own while the caller waits. The two never run at once, so a seed still repeats.</summary>
internal static class SecondThread
{
    // Real time, and far more than an item takes: an item that needs a lock of the caller would wait for ever.
    private static readonly TimeSpan s_hang = TimeSpan.FromMinutes(2);

    private static readonly SemaphoreSlim s_asked = new(0);
    private static readonly SemaphoreSlim s_done = new(0);
    private static Action? s_action;

    static SecondThread() => new Thread(Work) { IsBackground = true, Name = "second thread of the world" }.Start();

    internal static void Run(Action action)
    {
        s_action = action;
        s_asked.Release();
        if (!s_done.Wait(s_hang))
        {
            throw new InvalidOperationException("An item waits for a lock that is held across a call of the network or of a room's hook.");
        }
    }

    private static void Work()
    {
        while (true)
        {
            s_asked.Wait();
            s_action!();
            s_done.Release();
        }
    }
}
