using System.Diagnostics;
using System.Net.Security;

namespace PlayChat.Connector;

/// <summary>Options of a <see cref="GameClient"/>. Set before the client is made, which checks them.</summary>
public sealed class ClientOptions
{
    private static readonly TimeSpan s_day = TimeSpan.FromDays(1);

    /// <summary>
    /// Begins or resumes your session on a new connection: the first one, and each one after a break. Other packets wait for its end, at
    /// most <see cref="MaxWaitingPackets"/>. What it throws on the first connection, <see cref="GameClient.ConnectAsync"/> throws. After a
    /// break, a connection that ended and an answer that did not come lead to another attempt; everything else ends the client. Runs on the
    /// thread pool; the token is cancelled when the connection ends or the attempt is given up. Default: nothing is sent.
    /// </summary>
    public Func<Entry, CancellationToken, Task<Entered>>? Enter { get; set; }

    /// <summary>What an earlier client had in <see cref="GameClient.Resume"/>. Default <see langword="null"/>: none.</summary>
    public Resume? Resume { get; set; }

    /// <summary>How long connecting may take, TLS and the upgrade included. 1 ms to 1 day. Default 10 seconds.</summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a request waits for its answer, breaks included. 1 ms to 1 day. Default 10 seconds.</summary>
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How many requests may wait for their answers; those of <see cref="Entry"/> go out all the same. 1 to 32,768. Default 1,024.
    /// </summary>
    public int MaxRequests { get; set; } = 1024;

    /// <summary>Bytes that may wait to be sent. What comes beyond it is refused. 4 KiB to 1 GiB. Default 1 MiB.</summary>
    public int MaxOutboundBytes { get; set; } = 1024 * 1024;

    /// <summary>
    /// The largest value of a packet's length field that the server may send. 4 bytes to 256 MiB. Default 1 MiB. A larger one ends the
    /// connection as <see cref="CloseReason.FrameTooLarge"/>, before its body is there.
    /// </summary>
    public int MaxFrameBytes { get; set; } = 1024 * 1024;

    /// <summary>
    /// How many received packets may wait for <see cref="GameClient.Poll"/> or for their handlers. When it is reached, nothing more is
    /// received until there is room. 1 to 1,000,000. Default 10,000.
    /// </summary>
    public int MaxWaitingPackets { get; set; } = 10_000;

    /// <summary>
    /// Whether handlers and events run only inside <see cref="GameClient.Poll"/>: call it once a frame on the engine's main thread. Default
    /// false: they run on the thread pool, one at a time.
    /// </summary>
    public bool HandleInPoll { get; set; }

    /// <summary>Whether a broken connection is made again. Default true.</summary>
    public bool Reconnect { get; set; } = true;

    /// <summary>
    /// The wait before the first attempt to reconnect. It doubles with each attempt, and a random part of it, at most half, is left out. 0
    /// to 1 hour. Default 250 ms.
    /// </summary>
    public TimeSpan FirstDelay { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>The longest wait between two attempts. 0 to 1 hour. Default 5 seconds.</summary>
    public TimeSpan MaxDelay { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long after a break attempts are made. 0 to 1 day. Default 1 day. At least one attempt is made.</summary>
    public TimeSpan GiveUpAfter { get; set; } = s_day;

    /// <summary>
    /// Silence of the server after which the client asks for a sign of life. When none comes for as long again, the connection counts as
    /// broken. 10 ms to 1 day. Default 10 seconds. <see cref="Timeout.InfiniteTimeSpan"/> turns it off.
    /// </summary>
    public TimeSpan KeepAlive { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How the server's certificate is checked, for addresses with <c>tls</c> and <c>wss</c>. Default <see langword="null"/>: by the
    /// system's authorities, for the host of the address.
    /// </summary>
    public SslClientAuthenticationOptions? Tls { get; set; }

    /// <summary>
    /// Gets what handlers of packets and events have thrown, on the thread that ran them. Default: <see cref="Trace"/>. Must not throw.
    /// </summary>
    public Action<Exception> HandlerFailed { get; set; } = static e => Trace.TraceError(e.ToString());

    /// <exception cref="ArgumentOutOfRangeException">An option is out of its range.</exception>
    internal ClientOptions Checked()
    {
        var copy = (ClientOptions)MemberwiseClone();
        Check(nameof(ConnectTimeout), ConnectTimeout, TimeSpan.FromMilliseconds(1), s_day);
        Check(nameof(RequestTimeout), RequestTimeout, TimeSpan.FromMilliseconds(1), s_day);
        Check(nameof(MaxRequests), MaxRequests, 1, 32_768);
        Check(nameof(MaxOutboundBytes), MaxOutboundBytes, 4096, 1024 * 1024 * 1024);
        Check(nameof(MaxFrameBytes), MaxFrameBytes, PacketCodec.MinLength, 256 * 1024 * 1024);
        Check(nameof(MaxWaitingPackets), MaxWaitingPackets, 1, 1_000_000);
        Check(nameof(FirstDelay), FirstDelay, TimeSpan.Zero, TimeSpan.FromHours(1));
        Check(nameof(MaxDelay), MaxDelay, TimeSpan.Zero, TimeSpan.FromHours(1));
        Check(nameof(GiveUpAfter), GiveUpAfter, TimeSpan.Zero, s_day);
        if (KeepAlive != Timeout.InfiniteTimeSpan)
        {
            Check(nameof(KeepAlive), KeepAlive, TimeSpan.FromMilliseconds(10), s_day);
        }

        return copy;
    }

    private static void Check<T>(string name, T value, T min, T max)
        where T : IComparable<T>
    {
        if (value.CompareTo(min) < 0 || value.CompareTo(max) > 0)
        {
            throw new ArgumentOutOfRangeException(name, value, $"{name} must be {min} to {max}.");
        }
    }
}
