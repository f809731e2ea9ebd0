using System.Globalization;

namespace PlayChat.Benchmark.Run;

/// <summary>Every connection to one address of a server has a local port of its own, and the system gives these out of a range.</summary>
internal static class PortRange
{
    // Lower ones belong to services.
    private const int Lowest = 1024;
    private const int Highest = 65_535;

    /// <summary>Checks that so many connections can be had.</summary>
    /// <param name="connections">How many.</param>
    /// <param name="range">Of <see cref="Read"/>; <see langword="null"/>: it is not known.</param>
    /// <exception cref="UsageException">They cannot; the message holds the command that widens the range.</exception>
    public static void Check(int connections, (int First, int Last)? range)
    {
        int ports = range is { } known ? known.Last - known.First + 1 : int.MaxValue;
        if (connections <= ports)
        {
            return;
        }

        string remedy = connections <= Highest - Lowest + 1
            ? string.Create(CultureInfo.InvariantCulture, $"run 'sysctl -w net.ipv4.ip_local_port_range=\"{Lowest} {Highest}\"' before, as root")
            : string.Create(CultureInfo.InvariantCulture, $"at most {Highest - Lowest + 1} can be had from one machine");
        throw new UsageException(string.Create(
            CultureInfo.InvariantCulture,
            $"{connections} connections to one server need as many local ports, but the range {range!.Value.First} to {range.Value.Last} has {ports} (the load uses one source address): {remedy}."));
    }

    /// <summary>The range on Linux; elsewhere it is not known.</summary>
    public static (int First, int Last)? Read()
    {
        const string Range = "/proc/sys/net/ipv4/ip_local_port_range";
        string[] fields = File.Exists(Range) ? File.ReadAllText(Range).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries) : [];
        return fields.Length == 2
            && int.TryParse(fields[0], NumberStyles.None, CultureInfo.InvariantCulture, out int first)
            && int.TryParse(fields[1], NumberStyles.None, CultureInfo.InvariantCulture, out int last)
            ? (first, last)
            : null;
    }
}
