using System.Net;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Tokens;

namespace PlayChat.Authentication.Jwt.Tests;

/// <summary>An identity provider on this machine: it signs tokens, and serves its keys over HTTP.</summary>
internal sealed class Provider : IAsyncDisposable
{
    public const string Issuer = "https://login.example.org";
    public const string Audience = "my-game";

    private readonly WebApplication _app;
    private int _reads;

    private Provider(WebApplication app)
    {
        _app = app;
    }

    /// <summary>The keys that it serves.</summary>
    public List<SecurityKey> Keys { get; } = [];

    /// <summary>How often it was asked for its keys.</summary>
    public int Reads => Volatile.Read(ref _reads);

    /// <summary>Whether it answers every request with an error.</summary>
    public bool IsDown { get; set; }

    public Uri Address { get; private set; } = null!;

    public Uri KeysAddress => new(Address, "/keys");

    public static async Task<Provider> StartAsync(params SecurityKey[] keys)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        WebApplication app = builder.Build();
        var provider = new Provider(app);
        provider.Keys.AddRange(keys);
        app.MapGet("/.well-known/openid-configuration", () => provider.Answer(() => $$"""
            { "issuer": "{{Issuer}}", "jwks_uri": "{{provider.KeysAddress}}" }
            """));
        app.MapGet("/keys", () =>
        {
            Interlocked.Increment(ref provider._reads);
            return provider.Answer(() => Describe(provider.Keys));
        });
        await app.StartAsync();
        provider.Address = new Uri(app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single());
        return provider;
    }

    public static RsaSecurityKey Rsa(string id) => new(RSA.Create(2048)) { KeyId = id };

    public static ECDsaSecurityKey EcDsa(string id) => new(ECDsa.Create(ECCurve.NamedCurves.nistP256)) { KeyId = id };

    /// <summary>Signs a token that is valid from now on for five minutes.</summary>
    public static string Sign(
        SecurityKey key,
        DateTimeOffset now,
        string algorithm = SecurityAlgorithms.RsaSha256,
        string? issuer = Issuer,
        string? audience = Audience,
        string? subject = "user-7",
        TimeSpan? from = null,
        TimeSpan? until = null,
        string? padding = null)
    {
        var claims = new Dictionary<string, object>(StringComparer.Ordinal) { ["name"] = "ann", ["roles"] = new[] { "player", "admin" } };
        if (subject is not null)
        {
            claims["sub"] = subject;
        }

        if (padding is not null)
        {
            claims["padding"] = padding;
        }

        return new JsonWebTokenHandler { SetDefaultTimesOnTokenCreation = false }.CreateToken(new SecurityTokenDescriptor
        {
            Issuer = issuer,
            Audience = audience,
            Claims = claims,
            NotBefore = (now + (from ?? TimeSpan.Zero)).UtcDateTime,
            Expires = until == Timeout.InfiniteTimeSpan ? null : (now + (until ?? TimeSpan.FromMinutes(5))).UtcDateTime,
            SigningCredentials = new SigningCredentials(key, algorithm),
        });
    }

    /// <summary>The public parts as a JWKS document.</summary>
    public static string Describe(IEnumerable<SecurityKey> keys) => $$"""
        { "keys": [{{string.Join(',', keys.Select(Describe))}}] }
        """;

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    private static string Describe(SecurityKey key)
    {
        if (key is RsaSecurityKey rsa)
        {
            RSAParameters parts = rsa.Rsa.ExportParameters(includePrivateParameters: false);
            return Describe("RSA", key, ("n", parts.Modulus), ("e", parts.Exponent));
        }

        ECParameters curve = ((ECDsaSecurityKey)key).ECDsa.ExportParameters(includePrivateParameters: false);
        return Describe("EC\", \"crv\": \"P-256", key, ("x", curve.Q.X), ("y", curve.Q.Y));
    }

    private static string Describe(string kind, SecurityKey key, params (string Name, byte[]? Value)[] parts) =>
        $$"""{ "kty": "{{kind}}", "kid": "{{key.KeyId}}", "use": "sig", """
        + string.Join(", ", parts.Select(static part => $"\"{part.Name}\": \"{Base64UrlEncoder.Encode(part.Value)}\"")) + " }";

    private IResult Answer(Func<string> body) =>
        IsDown ? Results.StatusCode(StatusCodes.Status503ServiceUnavailable) : Results.Text(body(), "application/json");
}
