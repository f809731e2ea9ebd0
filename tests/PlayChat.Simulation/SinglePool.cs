using System.Diagnostics;
using System.Runtime.InteropServices;

namespace PlayChat.Simulation;

/// <summary>Makes the thread pool a queue with one thread, on which a whole world runs.</summary>
/// <remarks>
/// With one thread the order in which the pool runs its items depends only on the order in which they were queued. A world has no sockets
/// and no timers of the system, so only the world itself queues items, and its order is that of the seed. The number of processors
/// must be 1 as well, because the pool and Core divide tables by it. The runtime reads it from the environment when it starts.
/// </remarks>
internal static class SinglePool
{
    private const string Processors = "DOTNET_PROCESSOR_COUNT";

    /// <summary>Whether this process can run a world. Otherwise start the program again (<see cref="Restart"/>).</summary>
    internal static bool IsSet => Environment.ProcessorCount == 1;

    /// <summary>Starts the program again, with one processor.</summary>
    /// <returns>Its exit code.</returns>
    internal static int Restart(string[] arguments)
    {
        string program = Environment.ProcessPath ?? throw new InvalidOperationException("The path of this program is unknown.");
        var start = new ProcessStartInfo(program);
        if (Path.GetFileNameWithoutExtension(program).Equals("dotnet", StringComparison.OrdinalIgnoreCase))
        {
            start.ArgumentList.Add(Environment.GetCommandLineArgs()[0]);
        }

        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        start.Environment[Processors] = "1";
        start.Environment["DOTNET_TieredPGO"] = "0";
        // Ctrl+C reaches both processes; the other one decides.
        Console.CancelKeyPress += static (_, e) => e.Cancel = true;
        using Process process = Process.Start(start) ?? throw new InvalidOperationException($"{program} did not start.");
        using PosixSignalRegistration terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, _ => process.Kill());
        process.WaitForExit();
        return process.ExitCode;
    }

    /// <summary>Limits the pool to one thread.</summary>
    internal static void Limit()
    {
        if (!ThreadPool.SetMinThreads(1, 1) || !ThreadPool.SetMaxThreads(1, 1))
        {
            throw new InvalidOperationException("The thread pool refuses to have one thread.");
        }
    }

    /// <summary>Runs steps on the pool's thread, each when the pool has nothing else to do. Call it from another thread.</summary>
    /// <param name="begin">Runs first.</param>
    /// <param name="step">Returns <see langword="false"/> when there is no further step.</param>
    internal static void Run(Action begin, Func<bool> step)
    {
        using var driver = new Driver(begin, step);
        driver.Run();
    }

    private sealed class Driver(Action begin, Func<bool> step) : IThreadPoolWorkItem, IDisposable
    {
        private readonly ManualResetEventSlim _ended = new();
        private Action? _begin = begin;
        private Exception? _error;

        public void Execute()
        {
            try
            {
                // An item of the system, such as one of its timers, only delays the step.
                if (ThreadPool.PendingWorkItemCount == 0)
                {
                    Action? first = Interlocked.Exchange(ref _begin, null);
                    if (first is not null)
                    {
                        first();
                    }
                    else if (!step())
                    {
                        _ended.Set();
                        return;
                    }
                }

                ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
            }
            catch (Exception e)
            {
                _error = e;
                _ended.Set();
            }
        }

        public void Dispose() => _ended.Dispose();

        internal void Run()
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
            _ended.Wait();
            if (_error is not null)
            {
                throw new InvalidOperationException("The simulation itself failed.", _error);
            }
        }
    }
}
