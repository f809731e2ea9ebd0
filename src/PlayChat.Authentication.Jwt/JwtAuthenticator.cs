using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Protocols;
using Microsoft.IdentityModel.Protocols.OpenIdConnect;
using Microsoft.IdentityModel.Tokens;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;

namespace PlayChat.Authentication.Jwt;

/// <summary>Checks JSON Web Tokens (RFC 7519) that an identity provider has signed. Thread-safe.</summary>
/// <remarks>
/// <para>Keys of a provider are read at the first token, again after 12 hours, and when a token names an unknown key, at most once a
/// minute. While the provider is away, known keys stay valid. While it does not answer, a login waits for it at most a second,
/// except for the first keys.</para>
/// <para>Send a token in the first packet, over TLS, and never in an address: addresses end up in logs. This class logs no token.</para>
/// </remarks>
public sealed class JwtAuthenticator : IDisposable
{
    /// <summary>The longest token that is read, in characters: 8,192.</summary>
    public const int MaxTokenLength = 8192;

    private const string Refusal = "The token is invalid or has expired. Get a new one, and log in again.";
    private const string Unavailable = "Logins cannot be checked at the moment. Try again in a minute.";

    private static readonly TimeSpan s_refreshInterval = TimeSpan.FromMinutes(1);

    private readonly JsonWebTokenHandler _handler = new() { MapInboundClaims = false };
    private readonly TokenValidationParameters _rules;
    private readonly HttpClient? _ownHttp;
    private readonly JwtOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private volatile bool _hasKeys;

    /// <summary>Makes an authenticator. It reads no keys yet.</summary>
    /// <param name="options">Which tokens it accepts.</param>
    /// <param name="http">Reads the keys; it stays the caller's. Default: a client of its own with a timeout of 10 seconds.</param>
    /// <param name="time">The clock by which tokens expire; give it the server's. Default <see cref="TimeProvider.System"/>.</param>
    /// <param name="loggers">Receives log messages; by default nothing is logged.</param>
    /// <exception cref="OptionsException">An option is invalid; the message names it and what is allowed.</exception>
    public JwtAuthenticator(
        JwtOptions options, HttpClient? http = null, TimeProvider? time = null, ILoggerFactory? loggers = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        List<string> problems = [.. options.FindProblems()];
        IList<SecurityKey> keys = ReadKeys(options, problems);
        if (problems.Count > 0)
        {
            throw new OptionsException(problems);
        }

        _options = options;
        _time = time ?? TimeProvider.System;
        _logger = (loggers ?? NullLoggerFactory.Instance).CreateLogger("PlayChat.Authentication.Jwt");
        _rules = new TokenValidationParameters
        {
            ValidIssuer = options.Issuer,
            ValidAudiences = options.Audiences,
            ValidAlgorithms = options.Algorithms,
            IssuerSigningKeys = keys,
            LifetimeValidator = IsInItsTime,
            RequireSignedTokens = true,
        };
        _hasKeys = keys.Count > 0;
        _handler.MaximumTokenSizeInBytes = MaxTokenLength;
        if (Address is { } address)
        {
            http ??= _ownHttp = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };
            _rules.ConfigurationManager = new ConfigurationManager<OpenIdConnectConfiguration>(
                address,
                new KeyReader(this),
                new HttpDocumentRetriever(http) { RequireHttps = !options.AllowHttp })
            {
                AutomaticRefreshInterval = TimeSpan.FromHours(12),
                RefreshInterval = s_refreshInterval, // so strangers cannot make it ask the provider for each token
                UseLastKnownGoodConfiguration = false, // or a key that the provider has withdrawn would be good for another hour
            };
        }
    }

    private string? Address => _options.Authority is { } authority
        ? authority.AbsoluteUri.TrimEnd('/') + "/.well-known/openid-configuration"
        : _options.KeysAddress?.AbsoluteUri;

    /// <summary>
    /// Checks a token. For <see cref="LoginRules{TLogin, TAnswer}.Identify"/>: the session closes as
    /// <see cref="Core.CloseReason.LoginExpired"/> when the token has expired.
    /// </summary>
    /// <param name="token">What the client has sent, at most <see cref="MaxTokenLength"/> characters.</param>
    /// <param name="user">
    /// Makes the user from a valid token, which has a subject; <see langword="null"/> refuses. Map the subject to a number of your own.
    /// </param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>
    /// The user and the expiry; or a refusal whose sentence tells a stranger nothing about the reason. The log has the reason, at level
    /// Debug.
    /// </returns>
    public async ValueTask<LoginDecision> IdentifyAsync(
        string? token, Func<JsonWebToken, ValueTask<SessionUser?>> user, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(user);
        if (string.IsNullOrEmpty(token) || token.Length > MaxTokenLength)
        {
            JwtLog.Refused(_logger, "it is empty or too long");
            return LoginDecision.Refuse(Refusal);
        }

        // A copy, because the handler notes in it that the keys were just read.
        TokenValidationResult result =
            await _handler.ValidateTokenAsync(token, _rules.Clone()).WaitAsync(cancellationToken).ConfigureAwait(false);
        if (!result.IsValid)
        {
            // The messages of these exceptions may quote the token.
            JwtLog.Refused(_logger, result.Exception.GetType().Name);
            return LoginDecision.Refuse(_hasKeys ? Refusal : Unavailable);
        }

        var valid = (JsonWebToken)result.SecurityToken;
        if (string.IsNullOrEmpty(valid.Subject))
        {
            JwtLog.Refused(_logger, "it has no subject");
            return LoginDecision.Refuse(Refusal);
        }

        return await user(valid).ConfigureAwait(false) is { } known
            ? LoginDecision.Until(known, EndOf(new DateTimeOffset(valid.ValidTo)))
            : LoginDecision.Refuse(Refusal);
    }

    /// <inheritdoc/>
    public void Dispose() => _ownHttp?.Dispose();

    private static IList<SecurityKey> ReadKeys(JwtOptions options, List<string> problems)
    {
        if (options.Keys is not { } text)
        {
            return [];
        }

        try
        {
            JsonWebKeySet set = JsonWebKeySet.Create(text);
            IList<SecurityKey> keys = set.GetSigningKeys();
            if (keys.Count == 0 || set.Keys.Any(static key => key.Kty == JsonWebAlgorithmsKeyTypes.Octet || key.HasPrivateKey))
            {
                problems.Add("Keys has no public key, or one that is not public. It must be a JWKS document of RSA or EC public keys.");
            }

            return keys;
        }
        catch (ArgumentException)
        {
            problems.Add("Keys is no JWKS document: {\"keys\":[…]}.");
            return [];
        }
    }

    private bool IsInItsTime(DateTime? notBefore, DateTime? expires, SecurityToken token, TokenValidationParameters rules)
    {
        DateTime now = _time.GetUtcNow().UtcDateTime;
        return expires is { } end && now - _options.ClockSkew < end && !(notBefore > now + _options.ClockSkew);
    }

    // A token may expire with the last second that there is.
    private DateTimeOffset EndOf(DateTimeOffset expiry) =>
        DateTimeOffset.MaxValue - expiry > _options.ClockSkew ? expiry + _options.ClockSkew : DateTimeOffset.MaxValue;

    /// <summary>Reads the keys of the provider, and notes in the log if that fails.</summary>
    /// <remarks>
    /// The manager asks for one read at a time, and every login whose keys are due waits for it. So once there are keys, a login waits for
    /// a second; the read continues, and a later login gets what it has found. An exception leaves the manager its keys for a minute.
    /// </remarks>
    private sealed class KeyReader(JwtAuthenticator owner) : IConfigurationRetriever<OpenIdConnectConfiguration>
    {
        private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);
        private static readonly TimeSpan s_goodFor = TimeSpan.FromMinutes(5);

        private Task<OpenIdConnectConfiguration?>? _reading; // until its keys are taken
        private long _startedAt;

        public async Task<OpenIdConnectConfiguration> GetConfigurationAsync(
            string address, IDocumentRetriever retriever, CancellationToken cancel)
        {
            bool hasKeys = owner._hasKeys;
            TimeSpan patience = TimeSpan.Zero;
            if (_reading is null || !hasKeys || await IsOverAsync(_reading).ConfigureAwait(false))
            {
                _startedAt = owner._time.GetTimestamp();
                _reading = TryReadAsync(address, retriever);
                patience = s_patience;
            }

            OpenIdConnectConfiguration keys =
                await _reading.WaitAsync(hasKeys ? patience : Timeout.InfiniteTimeSpan, owner._time, cancel).ConfigureAwait(false)
                ?? throw new InvalidDataException("The keys could not be read; the log says why.");
            _reading = null;
            return keys;
        }

        private async ValueTask<bool> IsOverAsync(Task<OpenIdConnectConfiguration?> read) =>
            read.IsCompleted
            && owner._time.GetElapsedTime(_startedAt) >= (await read.ConfigureAwait(false) is null ? s_refreshInterval : s_goodFor);

        /// <returns><see langword="null"/> when it has failed, which is in the log.</returns>
        private async Task<OpenIdConnectConfiguration?> TryReadAsync(string address, IDocumentRetriever retriever)
        {
            try
            {
                OpenIdConnectConfiguration keys = await ReadAsync(address, retriever, CancellationToken.None).ConfigureAwait(false);
                if (keys.SigningKeys.Count == 0)
                {
                    throw new InvalidDataException("It names no keys.");
                }

                owner._hasKeys = true;
                return keys;
            }
            catch (Exception e)
            {
                JwtLog.KeysUnavailable(owner._logger, address, e.Message);
                return null; // the manager asks a provider that is away less and less often
            }
        }

        private async Task<OpenIdConnectConfiguration> ReadAsync(string address, IDocumentRetriever retriever, CancellationToken cancel)
        {
            if (owner._options.Authority is null)
            {
                var found = new OpenIdConnectConfiguration
                {
                    JsonWebKeySet = JsonWebKeySet.Create(await retriever.GetDocumentAsync(address, cancel).ConfigureAwait(false)),
                };
                foreach (SecurityKey key in found.JsonWebKeySet.GetSigningKeys())
                {
                    found.SigningKeys.Add(key);
                }

                return found;
            }

            OpenIdConnectConfiguration discovered =
                await OpenIdConnectConfigurationRetriever.GetAsync(address, retriever, cancel).ConfigureAwait(false);
            return discovered.Issuer == owner._options.Issuer
                ? discovered
                : throw new InvalidDataException(
                    $"It is of the issuer '{discovered.Issuer}', and JwtOptions.Issuer is '{owner._options.Issuer}': correct one of them.");
        }
    }
}
