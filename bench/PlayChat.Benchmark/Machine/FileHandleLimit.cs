using System.Globalization;
using PlayChat.Benchmark.Failures;

namespace PlayChat.Benchmark.Machine;

/// <summary>The system's limit of file handles per process. Every connection takes one.</summary>
internal static class FileHandleLimit
{
    // Handles for the runtime's own files, pipes and event queues, with some to spare.
    private const int Others = 200;

    /// <summary>Checks that this many connections are possible.</summary>
    /// <param name="connections">The connections.</param>
    /// <param name="limit">The result of <see cref="Read"/>; <see langword="null"/> for no limit, or when it is not known.</param>
    /// <exception cref="UsageException">The limit is too low. The message has the command that raises it.</exception>
    public static void Check(int connections, long? limit)
    {
        long needed = connections + Others;
        if (limit < needed)
        {
            throw new UsageException(string.Create(
                CultureInfo.InvariantCulture,
                $"{connections} connections need {needed} file handles per process, but the limit is {limit}: run 'ulimit -n {needed}' "
                + $"before (above the hard limit as root, or with 'nofile' in /etc/security/limits.conf)."));
        }
    }

    /// <summary>The limit of this process. At its start the runtime raises the soft limit to the hard one.</summary>
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
