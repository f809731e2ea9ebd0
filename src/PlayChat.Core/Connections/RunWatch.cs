namespace PlayChat.Core.Connections;

/// <summary>
/// Has another thread continue a run of answered requests (<see cref="OpenRequest"/>) whose thread is blocked by a continuation, which may
/// wait for one that the run has not reached. Thread-safe.
/// </summary>
/// <remarks>One timer for the process, which stops when no thread is in a run.</remarks>
internal static class RunWatch
{
    // Two looks tell. Far longer than a continuation takes that does not block, and far shorter than the 500 ms after which the thread
    // pool adds a thread.
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(50);

    private static readonly Timer s_timer = CreateTimer();
    private static int s_isOn;

    /// <summary>Starts to look, if that is necessary. The caller has set <see cref="BatchContext.RequestRun"/>.</summary>
    internal static void Start()
    {
        // Full barrier: when Look has stopped and then finds no run, this thread finds that it has stopped.
        Interlocked.MemoryBarrier();
        if (s_isOn == 0 && Interlocked.Exchange(ref s_isOn, 1) == 0)
        {
            s_timer.Change(s_interval, Timeout.InfiniteTimeSpan);
        }
    }

    private static Timer CreateTimer()
    {
        // Not in the context of the request that happens to be the first.
        using AsyncFlowControl? flow = ExecutionContext.IsFlowSuppressed() ? null : ExecutionContext.SuppressFlow();
        return new Timer(static _ => Look());
    }

    private static void Look()
    {
        if (!TryHelp())
        {
            Interlocked.Exchange(ref s_isOn, 0);
            if (!TryHelp() || Interlocked.Exchange(ref s_isOn, 1) != 0)
            {
                return;
            }
        }

        s_timer.Change(s_interval, Timeout.InfiniteTimeSpan);
    }

    /// <returns>Whether a thread is in a run that has not reached its last request.</returns>
    private static bool TryHelp()
    {
        bool found = false;
        foreach (BatchContext thread in BatchContext.Threads)
        {
            OpenRequest? run = thread.RequestRun;
            OpenRequest? next = run?.NextOfRun;
            if (next is not null && ReferenceEquals(next, thread.SeenNext))
            {
                run!.ContinueElsewhere();
            }

            thread.SeenNext = next;
            found |= next is not null;
        }

        return found;
    }
}
