using System.Diagnostics;
using System.Globalization;

namespace PlayChat.Simulation;

/// <summary>Runs the worlds that the command line asks for, one after the other.</summary>
internal sealed class Runner(SimulationOptions options)
{
    private static readonly TimeSpan s_progress = TimeSpan.FromSeconds(10);

    private volatile bool _isCancelled;

    internal int Run()
    {
        Console.CancelKeyPress += (_, e) =>
        {
            _isCancelled = true;
            e.Cancel = true; // the present world ends first, and the report is written
        };
        ulong first = options.First ?? ((ulong)DateTime.UtcNow.Ticks / 1000 % 1_000_000_000);
        List<ulong> seeds;
        try
        {
            seeds = [.. ReadSeeds(), .. Enumerable.Range(0, options.Seeds).Select(index => first + (ulong)index)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            Console.Error.WriteLine($"The file of seeds is not usable: {e.Message}");
            return 2;
        }

        if (!options.IsOne)
        {
            Console.WriteLine($"Seeds from {first}");
        }

        var watch = Stopwatch.StartNew();
        var report = new Report(watch);
        TimeSpan told = TimeSpan.Zero;
        ulong hash = 14695981039346656037;
        int failures = 0;
        foreach (ulong seed in seeds)
        {
            if (_isCancelled || watch.Elapsed > options.Limit)
            {
                break;
            }

            SimulatedWorld world = SimulatedWorld.Create(
                Draw(seed), options.Variant, keepsLines: options.Traces, options.Traces ? Console.Out : null);
            world.Run();
            report.Add(world);
            hash = (hash ^ world.Trace.Hash) * 1099511628211;
            if (world.Judge.Finding is { } finding)
            {
                failures++;
                Console.WriteLine($"Seed {seed} broke a rule: {finding}");
                if (options.Continues)
                {
                    continue;
                }

                report.Write(hash, withSpeed: !options.Traces);
                WriteHistory(seed, finding);
                return 1;
            }

            if (watch.Elapsed - told > s_progress)
            {
                told = watch.Elapsed;
                report.WriteProgress(seed);
            }
        }

        report.Write(hash, withSpeed: !options.Traces);
        return _isCancelled ? 130 : failures > 0 ? 1 : 0;
    }

    private Plan Draw(ulong seed) => Plan.Draw(seed, options.Chaos, options.Nodes) with { IsChat = options.IsChat };

    private IEnumerable<ulong> ReadSeeds() => options.SeedFile is null ? [] : File.ReadLines(options.SeedFile)
        .Select(static line => line.Split('#')[0].Trim())
        .Where(static line => line.Length > 0)
        .Select(static line => ulong.Parse(line, CultureInfo.InvariantCulture));

    private void WriteHistory(ulong seed, Finding finding)
    {
        if (options.Traces)
        {
            return;
        }

        Shortening.Result shortest = Shortening.Run(Draw(seed), options.Variant, finding.Rule);
        Console.WriteLine($"The shortest world found that breaks it has {shortest.Plan.Clients} clients, {shortest.Plan.RoomNames} rooms, "
            + $"the faults {shortest.Plan.Faults}{(shortest.Plan.Cluster is { } cluster ? $", {cluster.Faults}" : "")}, "
            + $"and breaks it so: {shortest.Finding}");
        Console.WriteLine("Its last events:");
        foreach (string line in shortest.Lines)
        {
            Console.WriteLine(line);
        }

        Console.WriteLine($"Repeat the whole world: --seed {seed} --chaos {options.Chaos.TotalSeconds}"
            + (options.Nodes > 1 ? $" --nodes {options.Nodes}" : "") + (options.IsChat ? " --chat" : "") + " --trace"
            + (options.Variant == Variant.None ? "" : $" --variant {options.Variant}"));
    }
}
