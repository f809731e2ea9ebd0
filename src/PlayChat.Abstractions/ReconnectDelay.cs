namespace PlayChat.Core.Clients;

/// <summary>How long a client waits before it connects again.</summary>
internal static class ReconnectDelay
{
    /// <summary>
    /// The wait doubles with each attempt up to the longest. Of each wait a random part, at most half, is left out, so that the clients
    /// that one fault has cut off do not all come back at the same moment.
    /// </summary>
    /// <param name="first">Before the first attempt.</param>
    /// <param name="max">The longest.</param>
    /// <param name="attempt">From 1 on.</param>
    /// <param name="random">0 to 1.</param>
    internal static TimeSpan Before(TimeSpan first, TimeSpan max, int attempt, double random)
    {
        double full = Math.Min(max.TotalMilliseconds, first.TotalMilliseconds * Math.Pow(2, attempt - 1));
        return TimeSpan.FromMilliseconds(full * (0.5 + (random / 2)));
    }
}
