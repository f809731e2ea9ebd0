namespace PlayChat.Chat.Hosting;

/// <summary>Holds the thread pool at a number of threads, also at fewer than there are processors.</summary>
internal static class WorkerThreads
{
    // What DOTNET_ThreadPool_ForceMinWorkerThreads and ForceMaxWorkerThreads stand for in runtimeconfig.json.
    private const string MinKey = "System.Threading.ThreadPool.MinThreads";
    private const string MaxKey = "System.Threading.ThreadPool.MaxThreads";

    /// <summary>
    /// Sets the number. <see cref="ThreadPool.SetMaxThreads"/> refuses fewer than processors, but the pool reads these keys when it is
    /// first used.
    /// </summary>
    /// <param name="threads">0 changes nothing.</param>
    /// <exception cref="StartException">The pool does not take it.</exception>
    public static void Limit(int threads)
    {
        if (threads == 0)
        {
            return;
        }

        AppContext.SetData(MinKey, threads);
        AppContext.SetData(MaxKey, threads);
        ThreadPool.GetMaxThreads(out int max, out int ports);
        ThreadPool.GetMinThreads(out int min, out _);
        // The pool was used before, so it no longer reads the keys. Its methods refuse fewer threads than processors.
        bool isSet = min == threads && max == threads;
        if (!isSet && !(ThreadPool.SetMinThreads(Math.Min(threads, max), 1)
            && ThreadPool.SetMaxThreads(threads, ports)
            && ThreadPool.SetMinThreads(threads, 1)))
        {
            throw new StartException(string.Create(
                CultureInfo.InvariantCulture,
                $"--workers {threads}: this runtime holds its thread pool at {min} to {max} threads; with fewer than the "
                    + $"{Environment.ProcessorCount} processors, start the server with "
                        + $"DOTNET_ThreadPool_ForceMaxWorkerThreads={threads:x}."));
        }
    }
}
