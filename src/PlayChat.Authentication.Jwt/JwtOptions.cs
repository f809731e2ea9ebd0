using System.Collections.Immutable;
using Microsoft.IdentityModel.Tokens;

namespace PlayChat.Authentication.Jwt;

/// <summary>Which tokens a <see cref="JwtAuthenticator"/> accepts. Immutable. Set exactly one source of keys.</summary>
public sealed record JwtOptions
{
    /// <summary>
    /// The address of an OpenID Connect provider, such as <c>https://login.example.org</c>: the authenticator reads
    /// <c>.well-known/openid-configuration</c> below it, which names the keys.
    /// </summary>
    public Uri? Authority { get; init; }

    /// <summary>The address of a JWKS document (RFC 7517), for a provider that has no discovery document.</summary>
    public Uri? KeysAddress { get; init; }

    /// <summary>A JWKS document (RFC 7517) as text: keys that never change. It may hold public keys alone.</summary>
    public string? Keys { get; init; }

    /// <summary>The issuer (<c>iss</c>) that a token must name, compared as text. Required.</summary>
    public required string Issuer { get; init; }

    /// <summary>
    /// The audiences (<c>aud</c>), of which a token must name at least one: usually the name of your game at the provider. Required.
    /// </summary>
    public required ImmutableArray<string> Audiences { get; init; }

    /// <summary>
    /// The signatures that are accepted: RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512. Default: RS256 and ES256. Neither
    /// <c>none</c> nor a shared secret (HS256) is possible: a public key must not be able to sign.
    /// </summary>
    public ImmutableArray<string> Algorithms { get; init; } = [SecurityAlgorithms.RsaSha256, SecurityAlgorithms.EcdsaSha256];

    /// <summary>
    /// By how much the clocks of provider and server may differ: 0 to 10 minutes, default 1 minute. A token is accepted, and its session
    /// stays open, for that time beyond its expiry.
    /// </summary>
    public TimeSpan ClockSkew { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Whether the addresses may be <c>http</c>, without TLS. Default false. Only for a provider on the same machine.</summary>
    public bool AllowHttp { get; init; }

    internal IEnumerable<string> FindProblems()
    {
        if (new object?[] { Authority, KeysAddress, Keys }.Count(static source => source is not null) != 1)
        {
            yield return "Set exactly one of Authority, KeysAddress and Keys: it says where the keys come from.";
        }

        foreach ((string name, Uri? address) in new[] { (nameof(Authority), Authority), (nameof(KeysAddress), KeysAddress) })
        {
            if (address is not null && !(address.IsAbsoluteUri
                && (address.Scheme == Uri.UriSchemeHttps || (AllowHttp && address.Scheme == Uri.UriSchemeHttp))))
            {
                yield return $"{name} is {address}. It must be an https address, or set AllowHttp for a provider on the same machine.";
            }
        }

        if (string.IsNullOrEmpty(Issuer))
        {
            yield return "Issuer is empty. Set it to the iss of your provider's tokens.";
        }

        if (Audiences.IsDefaultOrEmpty || Audiences.Any(string.IsNullOrEmpty))
        {
            yield return "Audiences is empty. Without it a token for another service would log in here.";
        }

        if (Algorithms.IsDefaultOrEmpty || Algorithms.Any(static name => name is not { Length: 5 }
            || name[..2] is not ("RS" or "PS" or "ES") || name[2..] is not ("256" or "384" or "512")))
        {
            yield return $"Algorithms is [{(Algorithms.IsDefault ? "" : string.Join(", ", Algorithms))}]. "
                + "Allowed are RS, PS or ES with 256, 384 or 512.";
        }

        if (ClockSkew < TimeSpan.Zero || ClockSkew > TimeSpan.FromMinutes(10))
        {
            yield return $"ClockSkew is {ClockSkew}. Allowed are 0 to 10 minutes.";
        }
    }
}
