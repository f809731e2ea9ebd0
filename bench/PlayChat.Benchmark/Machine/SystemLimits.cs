namespace PlayChat.Benchmark.Machine;

/// <summary>
/// The limits of the system that are checked before a load starts. A check throws <see cref="UsageException"/> with the command that raises
/// the limit; a limit that is <see langword="null"/> is not known, and does not stop the load.
/// </summary>
internal static class SystemLimits
{
    public static void Check(int connections, int connectAtOnce)
    {
        FileHandleLimit.Check(connections, FileHandleLimit.Read());
        PortRange.Check(connections, PortRange.Read());
        Backlog.Check(connectAtOnce, Backlog.Read());
    }

    /// <summary>The numbers of a file of <c>/proc/sys</c>; <see langword="null"/> where it is not there or has others.</summary>
    public static int[]? ReadNumbers(string path)
    {
        string[] words = File.Exists(path) ? File.ReadAllText(path).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries) : [];
        return words.Length > 0 && Array.TrueForAll(words, static word => int.TryParse(word, CultureInfo.InvariantCulture, out _))
            ? Array.ConvertAll(words, static word => int.Parse(word, CultureInfo.InvariantCulture))
            : null;
    }

    /// <summary>The first line of a file of <c>/proc</c> that starts with a title; <see langword="null"/> where there is none.</summary>
    public static string? ReadLine(string path, string title) =>
        File.Exists(path) ? File.ReadLines(path).FirstOrDefault(line => line.StartsWith(title, StringComparison.Ordinal)) : null;
}

/// <summary>The system's limit of a listener's backlog, in which connections wait to be accepted.</summary>
internal static class Backlog
{
    public static void Check(int atOnce, int? limit) => UsageException.Unless(
        !(atOnce > limit),
        $"{atOnce} connections at one time are more than the system's limit of {limit} that wait to be accepted: "
        + $"run 'sysctl -w net.core.somaxconn={atOnce}' as root before, or lower --connect-concurrency.");

    public static int? Read() => SystemLimits.ReadNumbers("/proc/sys/net/core/somaxconn") is [var limit] ? limit : null;
}

/// <summary>The system's limit of file handles per process. Every connection takes one.</summary>
internal static class FileHandleLimit
{
    // Handles for the runtime's own files, pipes and event queues, with some to spare.
    private const int Others = 200;

    public static void Check(int connections, long? limit) => UsageException.Unless(
        !(connections + Others > limit),
        $"{connections} connections need {connections + Others} file handles per process, but the limit is {limit}: run "
        + $"'ulimit -n {connections + Others}' before (above the hard limit as root, or with 'nofile' in /etc/security/limits.conf).");

    /// <summary>The limit of this process. At its start the runtime raises the soft limit to the hard one.</summary>
    public static long? Read()
    {
        string? line = SystemLimits.ReadLine("/proc/self/limits", "Max open files");
        string[] fields = line?.Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [];
        return fields.Length > 3 && long.TryParse(fields[3], NumberStyles.None, CultureInfo.InvariantCulture, out long soft) ? soft : null;
    }
}

/// <summary>The system's range of local ports. Every connection to one address of a server takes one.</summary>
internal static class PortRange
{
    // Ports below are for services.
    private const int Lowest = 1024;
    private const int Highest = 65_535;

    public static void Check(int connections, (int First, int Last)? range)
    {
        string remedy = connections <= Highest - Lowest + 1
            ? $"run 'sysctl -w net.ipv4.ip_local_port_range=\"{Lowest} {Highest}\"' as root before"
            : $"an address can make at most {Highest - Lowest + 1}";
        int? ports = range?.Last - range?.First + 1;
        UsageException.Unless(
            !(connections > ports),
            $"{connections} connections to one server need as many local ports, but the range {range?.First} to {range?.Last} "
            + $"has {ports}: {remedy}.");
    }

    public static (int First, int Last)? Read() =>
        SystemLimits.ReadNumbers("/proc/sys/net/ipv4/ip_local_port_range") is [var first, var last] ? (first, last) : null;
}
