using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using PlayChat.Options;

namespace PlayChat.Webhooks;

/// <summary>A receiver of messages: where it listens, and the secrets that sign what it gets.</summary>
public sealed class WebhookTarget
{
    private const int MaxNameLength = 64;

    /// <summary>Its name in the log and in the operations endpoint. Default empty: the host of <see cref="Url"/>.</summary>
    [Option(
        "Name of the receiver in the log and in the operations endpoint. Keep it when the address changes: the outbox knows it by that.",
        Allowed = "up to 64 letters, digits, dots, hyphens and underscores, or empty for the host of the address")]
    public string Name { get; set; } = "";

    /// <summary>Where messages are sent. Default empty: the target is left out.</summary>
    [Option(
        "Address that gets the messages of rooms by HTTP POST. Redirects are not followed. Number 0 is the first receiver; others are 1, 2 "
            + "and so on.",
        Allowed = "an https address without user and password, or empty for none")]
    public string Url { get; set; } = "";

    /// <summary>Signs each request: <c>whsec_</c> and the base64 of 24 to 64 random bytes. A secret: never logged.</summary>
    [Option(
        "Secret that signs each request. Set it in the environment. `echo whsec_$(openssl rand -base64 32)` makes one.",
        Allowed = "whsec_ and the base64 of 24 to 64 bytes")]
    public string Secret { get; set; } = "";

    /// <summary>Signs each request as well, while receivers change to <see cref="Secret"/>. Default empty.</summary>
    [Option(
        "Secret that signs each request as well, while the receiver changes from this one to Secret.",
        Allowed = "as Secret, or empty for none")]
    public string OldSecret { get; set; } = "";

    /// <summary>Whether <see cref="Url"/> may be a plain http address. Default <see langword="false"/>.</summary>
    [Option("Allows an http address: everyone on the way can then read the messages.")]
    public bool AllowHttp { get; set; }

    /// <summary>Whether the server connects to private, loopback and link-local addresses. Default <see langword="false"/>.</summary>
    [Option(
        "Allows private, loopback and link-local addresses, for a receiver on your own network.",
        Why = "A name that leads to an address inside your network would make the server send requests there.")]
    public bool AllowPrivateAddresses { get; set; }

    internal string DisplayName => Name.Length > 0 ? Name : Address.Host;

    internal Uri Address => new(Url);

    /// <summary>Makes the header <c>webhook-signature</c>: id, seconds since 1970 and body, joined by dots, signed with each secret
    /// (Standard Webhooks 1.0.0, "Signature scheme"). The id has no dot, so the signed parts have one meaning only.</summary>
    internal string Sign(string id, long timestamp, byte[] body)
    {
        byte[] signed = [.. Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{id}.{timestamp}.")), .. body];
        return string.Join(' ', new[] { Secret, OldSecret }.Where(static secret => secret.Length > 0).Select(
            secret => "v1," + Convert.ToBase64String(HMACSHA256.HashData(ReadKey(secret)!, signed))));
    }

    /// <returns>What is wrong, and never a secret; <see langword="null"/> when nothing is.</returns>
    internal string? FindProblem(string key)
    {
        if (!Uri.TryCreate(Url, UriKind.Absolute, out Uri? url) || url.Host.Length == 0 || url.UserInfo.Length > 0
            || url.Scheme is not ("https" or "http"))
        {
            return $"{key}Url is no usable address; allowed is an https address without user and password.";
        }

        string? unusable = ReadKey(Secret) is null ? nameof(Secret)
            : OldSecret.Length > 0 && ReadKey(OldSecret) is null ? nameof(OldSecret)
            : null;
        return url.Scheme == "http" && !AllowHttp ? $"{key}Url is an http address; use https, or set {key}AllowHttp=true."
            : Name.Length > MaxNameLength || !Name.All(static c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_')
                ? $"{key}Name is '{Name}'; allowed are up to {MaxNameLength} letters, digits, dots, hyphens and underscores."
            : unusable is not null
                ? $"{key}{unusable} is not usable; allowed is whsec_ and the base64 of 24 to 64 bytes. "
                    + "'echo whsec_$(openssl rand -base64 32)' makes one."
            : null;
    }

    private static byte[]? ReadKey(string secret)
    {
        const string Prefix = "whsec_";
        byte[] key = new byte[secret.Length];
        return secret.StartsWith(Prefix, StringComparison.Ordinal)
            && Convert.TryFromBase64String(secret[Prefix.Length..], key, out int length) && length is >= 24 and <= 64
            ? key[..length]
            : null;
    }
}
