namespace PlayChat.Core.Transport;

/// <summary>Bounds how many TLS handshakes of a server compute at once, and how many of them begin.</summary>
/// <remarks>
/// A handshake computes in two steps or more, and SslStream holds buffers from the first one on. If all steps waited in one queue, a rush
/// of new links would keep every handshake half done, each with its buffers. So a new one also waits for a start, before it has an
/// SslStream, and few begin while others are half done.
/// </remarks>
/// <param name="steps">How many handshakes compute at once.</param>
/// <param name="starts">How many begin at once: few enough that the shared pool keeps their buffers.</param>
internal sealed class HandshakeTurns(int steps, int starts)
{
    /// <summary>Taken before a handshake begins, and given back when its first step is computed or waits for the peer.</summary>
    internal SemaphoreSlim Starts { get; } = new(starts);

    /// <summary>Taken for each step.</summary>
    internal SemaphoreSlim Steps { get; } = new(steps);
}
