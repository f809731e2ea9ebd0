using System.Diagnostics;
using System.Globalization;

namespace PlayChat.Simulation;

/// <summary>Adds up what the worlds of a run have reached.</summary>
internal sealed class Report(Stopwatch watch)
{
    private readonly SortedDictionary<string, long> _counts = new(StringComparer.Ordinal);
    private double _simulatedSeconds;
    private double _clientMinutes;

    internal int Worlds { get; private set; }

    internal void Add(World world) => Add(world.Clock, world.Clients, world.Counts);

    internal void Add(SimulatedClock clock, int clients, IReadOnlyDictionary<string, long> counts)
    {
        Worlds++;
        _simulatedSeconds += clock.Elapsed.TotalSeconds;
        _clientMinutes += clock.Elapsed.TotalMinutes * clients;
        foreach ((string what, long count) in counts)
        {
            _counts[what] = _counts.GetValueOrDefault(what) + count;
        }
    }

    internal void WriteProgress(ulong seed) => Console.Error.WriteLine(string.Create(
        CultureInfo.InvariantCulture,
        $"{Worlds} worlds, newest seed {seed}, {Worlds / watch.Elapsed.TotalSeconds:F1} seeds a second"));

    /// <param name="hash">The hash of all traces.</param>
    /// <param name="withSpeed">Whether to write how fast it was, which differs each time.</param>
    internal void Write(ulong hash, bool withSpeed)
    {
        double processor = Process.GetCurrentProcess().TotalProcessorTime.TotalSeconds;
        CultureInfo culture = CultureInfo.InvariantCulture;
        foreach ((string what, long count) in _counts)
        {
            Console.WriteLine(string.Create(culture, $"{count,14:N0}  {what}"));
        }

        if (withSpeed)
        {
            Console.WriteLine(string.Create(
                culture,
                $"{Worlds} worlds, {_clientMinutes:F0} client-minutes: {Worlds / watch.Elapsed.TotalSeconds:F1} seeds a second, "
                    + $"{_simulatedSeconds / processor:F0} simulated s and {_clientMinutes / processor:F0} client-minutes a CPU second"));
        }

        Console.WriteLine($"Hash of the trace: {hash:x16}");
    }
}
