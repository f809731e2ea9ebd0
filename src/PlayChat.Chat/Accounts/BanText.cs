using System.Net.Sockets;
using PlayChat.Addresses;

namespace PlayChat.Chat.Accounts;

/// <summary>What operators type to name an account or a network.</summary>
internal static class BanText
{
    /// <summary>Reads a name or a network.</summary>
    /// <exception cref="StartException">It is neither.</exception>
    public static BanSubject Parse(string text)
    {
        int slash = text.LastIndexOf('/');
        string host = slash < 0 ? text : text[..slash];
        // "1" and "0x7f" are addresses for the parser of .NET, but names for players.
        bool isAddress = (host.Contains(':', StringComparison.Ordinal) || host.Count(static c => c == '.') == 3)
            && IPAddress.TryParse(host, out _);
        if (!isAddress)
        {
            return PlayerName.TryGetKey(text, out _, out _)
                ? BanSubject.OfAccount(text)
                : throw new StartException($"'{text}' is neither the name of a player nor an address. bans --help shows the forms.");
        }

        if (!StrictAddress.TryParse(host, out IPAddress? address))
        {
            throw new StartException(
                $"'{text}' is not an address in its usual form; did you mean {IPAddress.Parse(host)}? A number that begins with 0 or 0x "
                    + "can be read in two ways, so write decimal numbers, and no brackets.");
        }

        if (address.IsIPv4MappedToIPv6)
        {
            throw new StartException($"'{text}' is an IPv4 address in its IPv6 form. Write it as {address.MapToIPv4()}.");
        }

        if (host.Contains('%', StringComparison.Ordinal))
        {
            throw new StartException($"'{text}' names an interface, but a ban holds on each of them. Write it without what follows the %.");
        }

        if (slash < 0)
        {
            return BanSubject.OfNetwork(address);
        }

        // A slip in the prefix must not shut everyone out.
        (int least, int most) = address.AddressFamily == AddressFamily.InterNetwork ? (8, 32) : (16, 128);
        return text.AsSpan(slash + 1) is not ['0', ..]
            && int.TryParse(text.AsSpan(slash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int prefix)
            && prefix >= least && prefix <= most
                ? BanSubject.OfNetwork(address, prefix)
                : throw new StartException($"'{text}' is not a network that can be banned; allowed is /{least} to /{most}.");
    }
}
