using System.Globalization;
using PlayChat.Benchmark.Failures;

namespace PlayChat.Benchmark.Machine;

/// <summary>The system's limit of a listener's backlog, in which connections wait to be accepted.</summary>
internal static class Backlog
{
    /// <summary>Checks that this many connections may wait.</summary>
    /// <param name="atOnce">Connections being made at one time.</param>
    /// <param name="limit">The result of <see cref="Read"/>; <see langword="null"/> when it is not known.</param>
    /// <exception cref="UsageException">The limit is too low. The message has the command that raises it.</exception>
    public static void Check(int atOnce, int? limit)
    {
        if (atOnce > limit)
        {
            throw new UsageException(string.Create(
                CultureInfo.InvariantCulture,
                $"{atOnce} connections at one time are more than the system's limit of {limit} that wait to be accepted: "
                + $"run 'sysctl -w net.core.somaxconn={atOnce}' as root before, or lower --connect-concurrency."));
        }
    }

    /// <summary>The notice for a server whose backlog the system cuts.</summary>
    /// <param name="asked">The backlog in the server's options.</param>
    /// <param name="limit">The result of <see cref="Read"/>; <see langword="null"/> when it is not known.</param>
    /// <returns>A line with the command that raises the limit; <see langword="null"/> when the backlog is not cut.</returns>
    public static string? Notice(int asked, int? limit) => asked > limit
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"The system cuts the server's backlog of {asked} to {limit}. To raise it, run 'sysctl -w net.core.somaxconn={asked}' as root.")
        : null;

    /// <summary>The limit on Linux; <see langword="null"/> elsewhere.</summary>
    public static int? Read()
    {
        const string Limit = "/proc/sys/net/core/somaxconn";
        return File.Exists(Limit)
            && int.TryParse(File.ReadAllText(Limit).Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int limit)
            ? limit
            : null;
    }
}
