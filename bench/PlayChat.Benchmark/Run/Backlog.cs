using System.Globalization;

namespace PlayChat.Benchmark.Run;

/// <summary>Connections that wait to be accepted wait in the listener's backlog, which the system limits, whatever the server asks for.</summary>
internal static class Backlog
{
    /// <summary>Checks that so many may wait.</summary>
    /// <param name="atOnce">Connections that are being made at one time.</param>
    /// <param name="limit">Of <see cref="Read"/>; <see langword="null"/>: it is not known.</param>
    /// <exception cref="UsageException">They may not; the message holds the command that raises the limit.</exception>
    public static void Check(int atOnce, int? limit)
    {
        if (atOnce > limit)
        {
            throw new UsageException(string.Create(
                CultureInfo.InvariantCulture,
                $"{atOnce} connections at one time do not fit the system's limit of {limit} that wait to be accepted: run 'sysctl -w net.core.somaxconn={atOnce}' before, as root, or lower --connect-concurrency."));
        }
    }

    /// <summary>What to say when the system cuts the backlog that a server asks for.</summary>
    /// <param name="asked">By the server.</param>
    /// <param name="limit">Of <see cref="Read"/>; <see langword="null"/>: it is not known.</param>
    /// <returns>A line with the command that raises the limit; <see langword="null"/> when it is not cut.</returns>
    public static string? Notice(int asked, int? limit) => asked > limit
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"The system cuts the server's backlog of {asked} to {limit}: 'sysctl -w net.core.somaxconn={asked}' raises that, as root.")
        : null;

    /// <summary>The limit on Linux; elsewhere it is not known.</summary>
    public static int? Read()
    {
        const string Limit = "/proc/sys/net/core/somaxconn";
        return File.Exists(Limit) && int.TryParse(File.ReadAllText(Limit).Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int limit) ? limit : null;
    }
}
