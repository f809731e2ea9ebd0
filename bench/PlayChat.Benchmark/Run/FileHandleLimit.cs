using System.Globalization;

namespace PlayChat.Benchmark.Run;

/// <summary>Every connection is a file handle, and the system limits these for each process.</summary>
internal static class FileHandleLimit
{
    // The runtime's own files, pipes and event queues, with room to spare.
    private const int Others = 200;

    /// <summary>Checks that so many connections can be had.</summary>
    /// <param name="connections">How many.</param>
    /// <param name="limit">Of <see cref="Read"/>; <see langword="null"/>: no limit, or it is not known.</param>
    /// <exception cref="UsageException">They cannot; the message holds the command that raises the limit.</exception>
    public static void Check(int connections, long? limit)
    {
        long needed = connections + Others;
        if (limit < needed)
        {
            throw new UsageException(string.Create(
                CultureInfo.InvariantCulture,
                $"{connections} connections need {needed} file handles a process, but the limit is {limit}: run 'ulimit -n {needed}' before (above the hard limit as root, or with 'nofile' in /etc/security/limits.conf)."));
        }
    }

    /// <summary>How many this process may have. The runtime has raised the soft limit to the hard one at its start.</summary>
    public static long? Read()
    {
        const string Limits = "/proc/self/limits";
        if (!File.Exists(Limits))
        {
            return null;
        }

        string? line = File.ReadLines(Limits).FirstOrDefault(static line => line.StartsWith("Max open files", StringComparison.Ordinal));
        string[] fields = line?.Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [];
        return fields.Length > 3 && long.TryParse(fields[3], NumberStyles.None, CultureInfo.InvariantCulture, out long soft) ? soft : null;
    }
}
