using System.Globalization;
using PlayChat.Benchmark.Failures;

namespace PlayChat.Benchmark.Machine;

/// <summary>The system's range of local ports. Every connection to one address of a server takes one.</summary>
internal static class PortRange
{
    // Ports below are for services.
    private const int Lowest = 1024;
    private const int Highest = 65_535;

    /// <summary>Checks that this many connections are possible.</summary>
    /// <param name="connections">The connections.</param>
    /// <param name="range">The result of <see cref="Read"/>; <see langword="null"/> when it is not known.</param>
    /// <param name="sourceAddresses">The addresses that the connections come from in turn. Each has all ports of the range.</param>
    /// <exception cref="UsageException">The range is too small. The message has the command that widens it.</exception>
    public static void Check(int connections, (int First, int Last)? range, int sourceAddresses = 1)
    {
        long ports = range is { } known ? (known.Last - known.First + 1L) * sourceAddresses : int.MaxValue;
        if (connections <= ports)
        {
            return;
        }

        string remedy = connections <= (Highest - Lowest + 1L) * sourceAddresses
            ? string.Create(
                CultureInfo.InvariantCulture, $"run 'sysctl -w net.ipv4.ip_local_port_range=\"{Lowest} {Highest}\"' as root before")
            : string.Create(CultureInfo.InvariantCulture, $"an address can make at most {Highest - Lowest + 1}; use --source-addresses");
        throw new UsageException(string.Create(
            CultureInfo.InvariantCulture,
            $"{connections} connections to one server need as many local ports, but the range {range!.Value.First} to {range.Value.Last} "
            + $"has {ports} (source addresses of the load: {sourceAddresses}): {remedy}."));
    }

    /// <summary>The range on Linux; <see langword="null"/> elsewhere.</summary>
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
