using System.Diagnostics.CodeAnalysis;
using System.Net;

namespace PlayChat.Addresses;

/// <summary>Reads IP addresses in their usual form alone.</summary>
/// <remarks>
/// The parser of .NET takes more, and what it makes of it is a surprise: 203.0.113.010 is 203.0.113.8 because the zero means octal, 10 is
/// 0.0.0.10, and [::1]:80 is ::1.
/// </remarks>
internal static class StrictAddress
{
    /// <summary>Reads an IPv4 address of four decimal numbers, or an IPv6 address without brackets.</summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out IPAddress? address)
    {
        address = null;
        int colon = text.LastIndexOf(':');
        string last = text[(colon + 1)..].Split('%')[0]; // an IPv6 address may end with an IPv4 address, and then with a scope
        if (text.AsSpan().IndexOfAny("[]/") >= 0
            || ((colon < 0 || last.Contains('.', StringComparison.Ordinal)) && !IsFourNumbers(last))
            || !IPAddress.TryParse(text, out IPAddress? parsed))
        {
            return false;
        }

        address = parsed;
        return true;
    }

    /// <summary>Reads ADDRESS/PREFIX.</summary>
    public static bool TryParseNetwork(string text, out IPNetwork network)
    {
        int slash = text.LastIndexOf('/');
        network = default;
        return slash > 0
            && slash < text.Length - 1
            && (text[slash + 1] != '0' || slash == text.Length - 2)
            && TryParse(text[..slash], out _)
            && IPNetwork.TryParse(text, out network);
    }

    private static bool IsFourNumbers(string text) => IPAddress.TryParse(text, out IPAddress? address) && address.ToString() == text;
}
