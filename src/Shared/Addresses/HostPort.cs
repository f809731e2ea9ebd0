using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace PlayChat.Addresses;

/// <summary>An address that a user types or a server names.</summary>
internal static class HostPort
{
    /// <summary>Reads <c>HOST:PORT</c>, with an IPv6 address in brackets.</summary>
    /// <param name="text">The text.</param>
    /// <param name="host">The host, without brackets.</param>
    /// <param name="port">The port, 1 to 65535.</param>
    /// <returns><see langword="false"/> for anything else.</returns>
    public static bool TryParse(string text, [NotNullWhen(true)] out string? host, out ushort port)
    {
        int colon = text.LastIndexOf(':');
        string before = colon <= 0 ? string.Empty : text[..colon];
        bool isBracketed = before.Length > 2 && before.StartsWith('[') && before.EndsWith(']');
        host = isBracketed ? before[1..^1] : before;
        return ushort.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port)
            && port > 0
            && host.Length > 0
            && (isBracketed || host.IndexOfAny([':', '[', ']']) < 0);
    }
}
