using Microsoft.Extensions.Configuration;
using PlayChat.Core.Rooms;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Hosting;

/// <summary>The keys that <see cref="OptionsBinder"/> reads, to find those in a configuration that it would pass over.</summary>
internal static class OptionKeys
{
    private const string Endpoints = nameof(PlayChatOptions.Endpoints);
    private const string Certificates = nameof(TlsOptions.Certificates);
    private const string Endpoint = Endpoints + ":0:";
    private const string Tls = Endpoint + nameof(EndpointOptions.Tls) + ":";

    // Endpoints and certificates of every number have the keys of number 0.
    private static readonly string[] s_known =
    [
        .. Of(OptionRule.Of(typeof(PlayChatOptions)), ""),
        .. Of(OptionRule.Of(typeof(TransportOptions)), nameof(PlayChatOptions.Transport) + ":"),
        .. Of(OptionRule.Of(typeof(ConnectionOptions)), nameof(PlayChatOptions.Connections) + ":"),
        .. Of(OptionRule.Of(typeof(SessionOptions)), nameof(PlayChatOptions.Sessions) + ":"),
        .. Of(OptionRule.Of(typeof(RoomOptions)), nameof(PlayChatOptions.Rooms) + ":"),
        .. Of(OptionRule.Of(typeof(EndpointOptions)), Endpoint),
        .. Of(OptionRule.Of(typeof(TlsOptions)), Tls),
        .. Of(OptionRule.Of(typeof(CertificateOptions)), Tls + Certificates + ":0:"),
        .. Of(OptionRule.Of(typeof(ProxyProtocolOptions)), Endpoint + nameof(EndpointOptions.ProxyProtocol) + ":"),
        .. Of(OptionRule.Of(typeof(WebSocketOptions)), Endpoint + nameof(EndpointOptions.WebSocket) + ":"),
    ];

    /// <summary>Finds the keys of a section that no option has.</summary>
    /// <returns>One sentence for each, with the key that was probably meant.</returns>
    internal static IReadOnlyList<string> FindProblems(IConfiguration section)
    {
        string path = section is IConfigurationSection { Path: { Length: > 0 } parent } ? parent + ":" : "";
        List<string> problems = [];
        foreach ((string key, string? value) in section.AsEnumerable(makePathsRelative: true))
        {
            string numbered = Normalize(key);
            // A section has no value, and an empty object or list of a JSON file looks like a section.
            bool isSection = string.IsNullOrEmpty(value)
                && (section.GetSection(key).GetChildren().Any() || s_known.Any(known => IsWithin(known, numbered)));
            if (key.Length > 0 && !isSection && !s_known.Contains(numbered, StringComparer.OrdinalIgnoreCase))
            {
                string? similar = UnknownKey.FindSimilar(numbered, s_known);
                problems.Add(UnknownKey.Describe(
                    path + key, similar is null ? null : path + Renumber(similar, key), "docs/reference/limits.md"));
            }
        }

        problems.Sort(StringComparer.Ordinal);
        return problems;
    }

    private static IEnumerable<string> Of(IEnumerable<OptionRule> rules, string path) => rules.Select(rule => path + rule.Property.Name);

    private static bool IsWithin(string key, string section) =>
        key.StartsWith(section + ":", StringComparison.OrdinalIgnoreCase);

    /// <summary>Replaces the number of each endpoint and certificate by 0.</summary>
    private static string Normalize(string key) => WithNumbers(key, static _ => "0");

    /// <summary>Gives a known key the numbers of the key that was written.</summary>
    private static string Renumber(string known, string written)
    {
        string[] parts = written.Split(':');
        return WithNumbers(known, i => i < parts.Length && IsNumber(parts[i]) ? parts[i] : "0");
    }

    private static string WithNumbers(string key, Func<int, string> number)
    {
        string[] parts = key.Split(':');
        for (int i = 1; i < parts.Length; i++)
        {
            bool isListed = parts[i - 1].Equals(Endpoints, StringComparison.OrdinalIgnoreCase)
                || parts[i - 1].Equals(Certificates, StringComparison.OrdinalIgnoreCase);
            if (isListed && IsNumber(parts[i]))
            {
                parts[i] = number(i);
            }
        }

        return string.Join(':', parts);
    }

    private static bool IsNumber(string part) => part.Length > 0 && part.All(char.IsAsciiDigit);
}
