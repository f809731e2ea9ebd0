using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Tokens;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Authentication.Jwt.Tests;

/// <summary>Real tokens, real keys, and a provider that serves them over HTTP.</summary>
public sealed class JwtAuthenticatorTests
{
    private const string Refusal = "The token is invalid or has expired. Get a new one, and log in again.";

    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);
    private static readonly RsaSecurityKey s_rsa = Provider.Rsa("rsa-1");
    private static readonly ECDsaSecurityKey s_ecdsa = Provider.EcDsa("ec-1");
    private static readonly JwtOptions s_static = new()
    {
        Keys = Provider.Describe([s_rsa, s_ecdsa]),
        Issuer = Provider.Issuer,
        Audiences = [Provider.Audience],
    };

    private readonly ManualTimeProvider _time = new();
    private readonly RecordingLogger _log = new();

    private DateTimeOffset Now => _time.GetUtcNow();

    [Theory]
    [InlineData(SecurityAlgorithms.RsaSha256, "discovery")]
    [InlineData(SecurityAlgorithms.RsaSha256, "keys")]
    [InlineData(SecurityAlgorithms.EcdsaSha256, "keys")]
    [InlineData(SecurityAlgorithms.EcdsaSha256, "static")]
    public async Task A_token_that_the_provider_has_signed_logs_its_user_in_until_it_expires(string algorithm, string source)
    {
        await using Provider provider = await Provider.StartAsync(s_rsa, s_ecdsa);
        using JwtAuthenticator jwt = Make(source switch
        {
            "discovery" => s_static with { Keys = null, Authority = provider.Address, AllowHttp = true },
            "keys" => s_static with { Keys = null, KeysAddress = provider.KeysAddress, AllowHttp = true },
            _ => s_static,
        });
        string token = Provider.Sign(algorithm == SecurityAlgorithms.RsaSha256 ? s_rsa : s_ecdsa, Now, algorithm);
        JsonWebToken? seen = null;

        LoginDecision decision = await jwt.IdentifyAsync(
            token,
            claims =>
            {
                seen = claims;
                return new(new SessionUser(7, claims.GetClaim("name").Value));
            },
            TestContext.Current.CancellationToken);

        Assert.Equal(new SessionUser(7, "ann"), decision.User);
        Assert.Equal("user-7", seen!.Subject);
        Assert.Equal(["player", "admin"], seen.GetPayloadValue<string[]>("roles"), StringComparer.Ordinal);
        DateTimeOffset expiry = DateTimeOffset.FromUnixTimeSeconds((Now + (5 * s_minute)).ToUnixTimeSeconds());
        Assert.Equal(expiry + s_minute, decision.ExpiresAt!.Value); // the token's, and the skew
        Assert.Equal(source == "static" ? 0 : 1, provider.Reads);
    }

    public static TheoryData<string, string> BadTokens()
    {
        DateTimeOffset now = new ManualTimeProvider().GetUtcNow();
        string good = Provider.Sign(s_rsa, now);
        string[] parts = good.Split('.');
        string changed = Base64UrlEncoder.Decode(parts[1]).Replace("user-7", "user-8", StringComparison.Ordinal);
        var publicKey = new SymmetricSecurityKey(Encoding.ASCII.GetBytes(s_rsa.Rsa.ExportRSAPublicKeyPem())) { KeyId = "rsa-1" };
        return new TheoryData<string, string>
        {
            { "nothing", "" },
            { "garbage", "a.b.c" },
            { "no token", "hello" },
            { "another key of the same name", Provider.Sign(Provider.Rsa("rsa-1"), now) },
            { "an unknown key", Provider.Sign(Provider.Rsa("rsa-2"), now) },
            { "a changed claim", $"{parts[0]}.{Base64UrlEncoder.Encode(changed)}.{parts[2]}" },
            { "no signature", $"{parts[0]}.{parts[1]}." },
            { "alg none", $"{Base64UrlEncoder.Encode("""{"alg":"none","typ":"JWT"}""")}.{parts[1]}." },
            { "HS256 with the public key as its secret", Provider.Sign(publicKey, now, SecurityAlgorithms.HmacSha256) },
            { "an algorithm that is not allowed", Provider.Sign(s_rsa, now, SecurityAlgorithms.RsaSha512) },
            { "expired", Provider.Sign(s_rsa, now, from: -20 * s_minute, until: -s_minute) },
            { "without expiry", Provider.Sign(s_rsa, now, until: Timeout.InfiniteTimeSpan) },
            { "not valid yet", Provider.Sign(s_rsa, now, from: 2 * s_minute) },
            { "for another audience", Provider.Sign(s_rsa, now, audience: "your-game") },
            { "for nobody", Provider.Sign(s_rsa, now, audience: null) },
            { "from another issuer", Provider.Sign(s_rsa, now, issuer: "https://evil.example.org") },
            { "without subject", Provider.Sign(s_rsa, now, subject: null) },
            { "too long", Provider.Sign(s_rsa, now, padding: new string('x', 9000)) },
        };
    }

    [Theory]
    [MemberData(nameof(BadTokens))]
    public async Task Every_other_token_is_refused_with_the_same_sentence_and_is_not_logged(string kind, string token)
    {
        using JwtAuthenticator jwt = Make(s_static);

        LoginDecision decision = await IdentifyAsync(jwt, token);

        Assert.True(decision.User is null, kind);
        Assert.Equal(Refusal, decision.Refusal);
        Assert.Equal(1, _log.Count("Refused"));
        Assert.All(_log.Entries, entry => Assert.DoesNotContain("eyJ", entry.Text, StringComparison.Ordinal)); // how every token begins
    }

    [Fact]
    public async Task The_clock_of_the_server_decides_and_clocks_may_differ_by_the_skew()
    {
        using JwtAuthenticator jwt = Make(s_static);
        string token = Provider.Sign(s_rsa, Now, from: s_minute / 2);

        Assert.NotNull((await IdentifyAsync(jwt, token)).User);
        _time.Advance(5.5 * s_minute);
        Assert.NotNull((await IdentifyAsync(jwt, token)).User);
        _time.Advance(s_minute);
        Assert.Null((await IdentifyAsync(jwt, token)).User);
    }

    [Fact]
    public async Task A_user_that_the_game_does_not_know_is_refused()
    {
        using JwtAuthenticator jwt = Make(s_static);

        LoginDecision decision = await jwt.IdentifyAsync(
            Provider.Sign(s_rsa, Now), static _ => default, TestContext.Current.CancellationToken);

        Assert.Equal((null, Refusal), (decision.User, decision.Refusal));
    }

    [Fact]
    public async Task A_new_key_is_read_when_a_token_names_it_and_a_withdrawn_one_is_no_good_any_more()
    {
        RsaSecurityKey next = Provider.Rsa("rsa-2");
        await using Provider provider = await Provider.StartAsync(s_rsa);
        using JwtAuthenticator jwt = Make(s_static with { Keys = null, Authority = provider.Address, AllowHttp = true });
        Assert.NotNull((await IdentifyAsync(jwt, Provider.Sign(s_rsa, Now))).User);

        provider.Keys.Clear();
        provider.Keys.Add(next);
        Assert.NotNull((await IdentifyAsync(jwt, Provider.Sign(next, Now))).User);
        Assert.Null((await IdentifyAsync(jwt, Provider.Sign(s_rsa, Now))).User);

        for (int i = 0; i < 20; i++)
        {
            Assert.Null((await IdentifyAsync(jwt, Provider.Sign(s_rsa, Now))).User); // a stranger with an unknown key
        }

        Assert.InRange(provider.Reads, 2, 3);
    }

    [Fact]
    public async Task While_the_provider_is_down_known_keys_are_good_and_unknown_ones_are_not()
    {
        await using Provider provider = await Provider.StartAsync(s_rsa);
        using JwtAuthenticator jwt = Make(s_static with { Keys = null, KeysAddress = provider.KeysAddress, AllowHttp = true });
        Assert.NotNull((await IdentifyAsync(jwt, Provider.Sign(s_rsa, Now))).User);
        provider.IsDown = true;

        LoginDecision unknown = await IdentifyAsync(jwt, Provider.Sign(Provider.Rsa("rsa-2"), Now)); // makes it ask for new keys
        LoginDecision known = await IdentifyAsync(jwt, Provider.Sign(s_rsa, Now));

        Assert.Equal(Refusal, unknown.Refusal);
        Assert.NotNull(known.User);
        Assert.Equal(1, _log.Count("KeysUnavailable"));
    }

    [Fact]
    public async Task A_provider_that_does_not_answer_keeps_no_login_of_a_known_key_waiting()
    {
        using var provider = new SilentProvider(Provider.Describe([s_rsa]));
        using var http = new HttpClient(provider);
        using var jwt = new JwtAuthenticator(
            s_static with { Keys = null, KeysAddress = new Uri("https://login.example.org/keys") }, http, _time, _log);
        string token = Provider.Sign(s_rsa, Now);
        Assert.NotNull((await IdentifyAsync(jwt, token)).User);

        Task<LoginDecision> unknown = IdentifyAsync(jwt, Provider.Sign(Provider.Rsa("rsa-2"), Now)); // asks for new keys
        await _time.WaitForTimersAsync().WaitAsync(TestTimeouts.Hang);
        Task<LoginDecision> known = IdentifyAsync(jwt, token);
        _time.Advance(TimeSpan.FromSeconds(1));

        Assert.NotNull((await known.WaitAsync(TestTimeouts.Hang)).User);
        Assert.Equal(Refusal, (await unknown.WaitAsync(TestTimeouts.Hang)).Refusal);
        Assert.Equal(2, provider.Reads);
    }

    [Fact]
    public async Task A_token_that_expires_with_the_last_second_there_is_logs_in()
    {
        using JwtAuthenticator jwt = Make(s_static);
        string token = Provider.Sign(s_rsa, Now, until: DateTimeOffset.MaxValue - Now - TimeSpan.FromTicks(9_999_999));

        LoginDecision decision = await IdentifyAsync(jwt, token);

        Assert.NotNull(decision.User);
        Assert.Equal(DateTimeOffset.MaxValue, decision.ExpiresAt);
    }

    [Fact]
    public async Task A_provider_that_is_down_from_the_beginning_is_asked_again_later_and_the_log_says_what_to_do()
    {
        await using Provider provider = await Provider.StartAsync(s_rsa);
        provider.IsDown = true;
        using JwtAuthenticator jwt = Make(s_static with { Keys = null, KeysAddress = provider.KeysAddress, AllowHttp = true });
        string token = Provider.Sign(s_rsa, Now);

        LoginDecision[] refused = await Task.WhenAll(Enumerable.Range(0, 10).Select(_ => IdentifyAsync(jwt, token)));
        Assert.All(
            refused,
            static decision => Assert.Equal("Logins cannot be checked at the moment. Try again in a minute.", decision.Refusal));
        Assert.InRange(_log.Count("KeysUnavailable"), 1, 9); // not for each login, which asks twice
        string text = _log.Entries.First(static entry => entry.Event == "KeysUnavailable").Text;
        Assert.Contains(provider.KeysAddress.AbsoluteUri, text, StringComparison.Ordinal);
        Assert.Contains("Check the address", text, StringComparison.Ordinal);

        provider.IsDown = false; // the pause, of a second, is by the clock of the machine
        await Eventually.GetAsync(() => IdentifyAsync(jwt, token), static decision => decision.User is not null);
    }

    [Fact]
    public async Task A_discovery_document_of_another_issuer_gives_no_keys()
    {
        await using Provider provider = await Provider.StartAsync(s_rsa);
        using JwtAuthenticator jwt = Make(
            s_static with { Keys = null, Authority = provider.Address, AllowHttp = true, Issuer = "https://other.example.org" });

        Assert.Null((await IdentifyAsync(jwt, Provider.Sign(s_rsa, Now, issuer: "https://other.example.org"))).User);
        Assert.Contains(_log.Entries, static entry => entry.Text.Contains("JwtOptions.Issuer", StringComparison.Ordinal));
    }

    public static TheoryData<string, string> BadOptions => new()
    {
        { "no keys", "exactly one of" },
        { "two sources", "exactly one of" },
        { "http", "https" },
        { "no issuer", "Issuer" },
        { "no audience", "Audiences" },
        { "HS256", "Algorithms" },
        { "none", "Algorithms" },
        { "skew", "ClockSkew" },
        { "no JWKS", "no JWKS document" },
        { "a secret", "not public" },
        { "a private key", "not public" },
    };

    [Theory]
    [MemberData(nameof(BadOptions))]
    public void An_option_that_would_not_be_safe_is_refused(string kind, string problem)
    {
        JwtOptions options = kind switch
        {
            "no keys" => s_static with { Keys = null },
            "two sources" => s_static with { Authority = new Uri("https://login.example.org") },
            "http" => s_static with { Keys = null, Authority = new Uri("http://login.example.org") },
            "no issuer" => s_static with { Issuer = "" },
            "no audience" => s_static with { Audiences = [] },
            "HS256" => s_static with { Algorithms = ["RS256", "HS256"] },
            "none" => s_static with { Algorithms = ["none"] },
            "skew" => s_static with { ClockSkew = TimeSpan.FromHours(1) },
            "no JWKS" => s_static with { Keys = "hello" },
            "a secret" => s_static with { Keys = """{ "keys": [{ "kty": "oct", "k": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }] }""" },
            _ => s_static with { Keys = $$"""{ "keys": [{{PrivateKey()}}] }""" },
        };

        Assert.Contains(problem, Assert.Throws<OptionsException>(() => Make(options)).Message, StringComparison.Ordinal);
    }

    private static string PrivateKey()
    {
        RSAParameters parts = s_rsa.Rsa.ExportParameters(includePrivateParameters: true);
        var key = new Dictionary<string, string>(StringComparer.Ordinal) { ["kty"] = "RSA" };
        foreach ((string name, byte[]? value) in new[]
        {
            ("n", parts.Modulus), ("e", parts.Exponent), ("d", parts.D), ("p", parts.P), ("q", parts.Q), ("dp", parts.DP),
            ("dq", parts.DQ), ("qi", parts.InverseQ),
        })
        {
            key[name] = Base64UrlEncoder.Encode(value);
        }

        return JsonSerializer.Serialize(key);
    }

    private static Task<LoginDecision> IdentifyAsync(JwtAuthenticator jwt, string token) => jwt.IdentifyAsync(
        token, static claims => new(new SessionUser(7, claims.Subject)), TestContext.Current.CancellationToken).AsTask();

    private JwtAuthenticator Make(JwtOptions options) => new(options, time: _time, loggers: _log);

    /// <summary>Gives its keys once, and never answers again.</summary>
    private sealed class SilentProvider(string keys) : HttpMessageHandler
    {
        private int _reads;

        public int Reads => Volatile.Read(ref _reads);

        protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken) =>
            Interlocked.Increment(ref _reads) == 1
                ? Task.FromResult(new HttpResponseMessage { Content = new StringContent(keys) })
                : new TaskCompletionSource<HttpResponseMessage>().Task.WaitAsync(cancellationToken);
    }
}
