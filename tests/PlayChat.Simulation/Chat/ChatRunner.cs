using System.Diagnostics;

namespace PlayChat.Simulation.Chat;

/// <summary>Runs the worlds of the chat that the command line asks for, one after the other.</summary>
internal static class ChatRunner
{
    private static readonly TimeSpan s_progress = TimeSpan.FromSeconds(10);

    internal static int Run(SimulationOptions options)
    {
        ulong first = options.First ?? ((ulong)DateTime.UtcNow.Ticks / 1000 % 1_000_000_000);
        if (!options.IsOne)
        {
            Console.WriteLine($"Seeds from {first}");
        }

        var watch = Stopwatch.StartNew();
        var report = new Report(watch);
        TimeSpan told = TimeSpan.Zero;
        ulong hash = 14695981039346656037;
        int failures = 0;
        for (ulong seed = first; seed < first + (ulong)options.Seeds && !(watch.Elapsed > options.Limit); seed++)
        {
            var world = new ChatWorld(
                Plan.Draw(seed, options.Chaos), options.Variant, options.Traces, options.Traces ? Console.Out : null);
            world.Run();
            report.Add(world.Clock, world.Clients, world.Counts);
            hash = (hash ^ world.Trace.Hash) * 1099511628211;
            if (world.Judge.Finding is { } finding)
            {
                failures++;
                Console.WriteLine($"Seed {seed} broke a rule, after {report.Worlds} worlds: {finding}");
                if (!options.Continues)
                {
                    Console.WriteLine($"Repeat the world: --chat --seed {seed} --chaos {options.Chaos.TotalSeconds} --trace");
                    break;
                }
            }

            if (watch.Elapsed - told > s_progress)
            {
                told = watch.Elapsed;
                report.WriteProgress(seed);
            }
        }

        report.Write(hash, withSpeed: !options.Traces);
        return failures > 0 ? 1 : 0;
    }
}
