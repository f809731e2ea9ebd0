namespace PlayChat.Core.Hosting;

/// <summary>How the file descriptors of the process are divided between links and everything else.</summary>
/// <remarks>
/// A process without a free descriptor cannot open a file or a database connection. It cannot even start a thread, and the runtime then
/// ends the process. Links therefore never take the last descriptors.
/// </remarks>
/// <param name="MaxLinks">The links that may be open at once: connections, handshakes, and refusals that are being told.</param>
/// <param name="MaxRefused">Of these, the refused connections that may be told why at once.</param>
/// <param name="MaxConnections">Of these, the connections.</param>
internal readonly record struct LinkBudget(int MaxLinks, int MaxRefused, int MaxConnections)
{
    // Refused connections are told why, but only so many at once: a flood of them must not cost as much as a second server.
    private const int MostRefused = 1024;

    // Descriptors for what opens later: database connections (a pool has up to 100), log files, event loops, threads that start.
    private const int LeastSpare = 64;
    private const int MostSpare = 512;

    // A server with fewer links is of no use, so it takes them even from its reserve.
    private const int LeastLinks = 16;

    /// <summary>Divides the descriptors.</summary>
    /// <param name="limit">The descriptors that the process may open; <see langword="null"/> for no limit.</param>
    /// <param name="open">The descriptors that it has open.</param>
    internal static LinkBudget Of(long? limit, int open)
    {
        if (limit is not { } descriptors)
        {
            return new LinkBudget(int.MaxValue, MostRefused, int.MaxValue);
        }

        long spare = Math.Clamp(descriptors / 8, LeastSpare, MostSpare);
        int links = (int)Math.Clamp(descriptors - open - spare, LeastLinks, int.MaxValue);
        int refused = Math.Min(MostRefused, links / 16);
        return new LinkBudget(links, refused, links - refused);
    }

    /// <summary>Reads the limits of this process, and raises them as far as possible.</summary>
    internal static LinkBudget Read() => Of(DescriptorLimit.Raise(), DescriptorLimit.CountOpen());

    /// <summary>Says how many connections the server takes, if they are fewer than its option allows.</summary>
    /// <param name="logger">Gets a warning if the option was changed from its default, which is far more than most servers need.</param>
    /// <param name="wanted">The option, <see cref="ConnectionOptions.MaxConnections"/>.</param>
    /// <param name="path">The configuration section of the server's options.</param>
    internal void Log(ILogger logger, int wanted, string path)
    {
        if (MaxConnections >= wanted)
        {
            return;
        }

        if (wanted == ConnectionOptions.DefaultMaxConnections)
        {
            HostingLog.DescriptorsBoundConnections(logger, MaxConnections);
        }
        else
        {
            HostingLog.FewDescriptors(logger, MaxConnections, wanted, path);
        }
    }
}
