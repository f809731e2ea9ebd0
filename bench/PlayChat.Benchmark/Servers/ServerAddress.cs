using System.Globalization;
using PlayChat.Benchmark.Failures;

namespace PlayChat.Benchmark.Servers;

/// <summary>The address of a server.</summary>
internal sealed record ServerAddress(string Host, int Port)
{
    /// <summary>Parses <c>HOST:PORT</c>, with an IPv6 address in brackets.</summary>
    /// <param name="text">The text.</param>
    /// <param name="option">Where it comes from, for the message.</param>
    /// <exception cref="UsageException">The text is not an address.</exception>
    public static ServerAddress Parse(string text, string option = "--connect")
    {
        int colon = text.LastIndexOf(':');
        string host = colon <= 0 ? string.Empty : text[..colon];
        bool bracketed = host.StartsWith('[') && host.EndsWith(']');
        if (host.Length == 0
            || (!bracketed && host.Contains(':', StringComparison.Ordinal))
            || !ushort.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out ushort port)
            || port == 0)
        {
            throw new UsageException($"{option} takes HOST:PORT, such as 127.0.0.1:7777 or [::1]:7777, not '{text}'.");
        }

        return new ServerAddress(bracketed ? host[1..^1] : host, port);
    }

    /// <inheritdoc/>
    public override string ToString() => Host.Contains(':', StringComparison.Ordinal)
        ? string.Create(CultureInfo.InvariantCulture, $"[{Host}]:{Port}")
        : string.Create(CultureInfo.InvariantCulture, $"{Host}:{Port}");
}
