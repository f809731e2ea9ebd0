using System.Security.Claims;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;
using PlayChat.Chat.Accounts;
using PlayChat.Web;

namespace PlayChat.Chat.Operations;

/// <summary>
/// Refuses requests without the token, or a key that may do it, and requests that a foreign web page makes a browser send.
/// </summary>
/// <remarks>The operator's token may do everything; it is empty for none. The keys are those of other programs.</remarks>
internal sealed class OperationsGuard(string token, IReadOnlyList<OperationsKey> keys, TimeProvider time, ILogger logger)
{
    private const string Scheme = "Bearer ";

    private readonly byte[]? _tokenHash = token.Length == 0 ? null : OperationsKey.HashOf(token);
    private readonly RateTable<string> _rates = new(TimeSpan.FromMinutes(1), Math.Max(1, keys.Count), time);

    /// <summary>Answers the request itself, or hands it on.</summary>
    public Task InvokeAsync(HttpContext context, RequestDelegate next)
    {
        HttpRequest request = context.Request;
        string origin = request.Headers.Origin.ToString();
        if (origin.Length > 0 && !IsOwnPage(origin, request))
        {
            return RefuseAsync(context, StatusCodes.Status403Forbidden, "Pages of other origins may not use this endpoint.");
        }

        // A foreign page can give its own name the address 127.0.0.1 (DNS rebinding). Its requests then bear that name, and no token.
        // Probes of HTTP/1.0 bear no name at all; browsers always send one.
        if (_tokenHash is null && request.Host.HasValue && !IsLocalName(request.Host.Host.TrimEnd('.')))
        {
            return RefuseAsync(
                context,
                StatusCodes.Status403Forbidden,
                "Use an IP address or localhost as the host name, or set Operations:Token.");
        }

        if (_tokenHash is not null && context.GetEndpoint()?.Metadata.GetMetadata<IAllowAnonymous>() is null
            && !HasToken(request, out OperationsKey? key))
        {
            if (key is not null)
            {
                return InvokeWithKeyAsync(context, next, key);
            }

            // A scan for the token must be seen. The log has one line for each address in a while.
            var peer = new IPEndPoint(context.Connection.RemoteIpAddress ?? IPAddress.None, context.Connection.RemotePort);
            ServerLog.TokenRefused(logger, request.Method, request.Path, peer);
            context.Response.Headers.WWWAuthenticate = "Bearer";
            return RefuseAsync(
                context,
                StatusCodes.Status401Unauthorized,
                "Send the token (Operations:Token, or the first line of Operations:TokenFile), or a key (Operations:Keys), as "
                    + "'Authorization: Bearer TOKEN'.");
        }

        return ContinueAsync(context, next);
    }

    private static Task ContinueAsync(HttpContext context, RequestDelegate next)
    {
        context.Response.Headers.XContentTypeOptions = "nosniff";
        return next(context);
    }

    private static bool IsLocalName(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase) || IPAddress.TryParse(host.Trim('[', ']'), out _);

    private static bool IsOwnPage(string origin, HttpRequest request) =>
        WebAuthority.TryParseOrigin(origin, out ReadOnlySpan<char> scheme, out WebAuthority page)
        && scheme.Equals(request.Scheme, StringComparison.OrdinalIgnoreCase)
        && WebAuthority.TryParse(request.Host.Value, request.Scheme, out WebAuthority asked)
        && page.Equals(asked);

    private static Task RefuseAsync(HttpContext context, int status, string text)
    {
        context.Response.StatusCode = status;
        return context.Response.WriteAsync(text + "\n", context.RequestAborted);
    }

    private Task InvokeWithKeyAsync(HttpContext context, RequestDelegate next, OperationsKey key)
    {
        TimeSpan wait = _rates.Take(key.Name, key.RequestsPerMinute);
        if (wait > TimeSpan.Zero)
        {
            context.Response.Headers.RetryAfter = Math.Ceiling(wait.TotalSeconds).ToString(CultureInfo.InvariantCulture);
            return RefuseAsync(
                context,
                StatusCodes.Status429TooManyRequests,
                $"The key {key.Name} has used its {key.RequestsPerMinute} requests a minute (Operations:Keys). Try again later.");
        }

        string? scope = context.GetEndpoint()?.Metadata.GetMetadata<OperationsScope>()?.Name;
        if (context.GetEndpoint() is not null && (scope is null || !key.Scopes.Contains(scope)))
        {
            ServerLog.KeyRefused(logger, key.Name, context.Request.Method, context.Request.Path.ToUriComponent());
            return RefuseAsync(
                context,
                StatusCodes.Status403Forbidden,
                scope is null
                    ? "Only the operator's token may do this."
                    : $"The key {key.Name} needs the scope {scope} for this. Add it to Operations:Keys, and restart the server.");
        }

        context.User = new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, key.Name)], "key")); // for the audit log
        return ContinueAsync(context, next);
    }

    /// <returns>Whether the request has the operator's token; if not, <paramref name="key"/> is the key that it has.</returns>
    private bool HasToken(HttpRequest request, out OperationsKey? key)
    {
        key = null;
        string header = request.Headers.Authorization.ToString();
        if (!header.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase))
        {
            return false;
        }

        byte[] hash = OperationsKey.HashOf(header[Scheme.Length..].Trim());
        foreach (OperationsKey one in keys) // all of them, whichever it is: the time tells nothing
        {
            key = CryptographicOperations.FixedTimeEquals(hash, one.Hash) ? one : key;
        }

        return CryptographicOperations.FixedTimeEquals(hash, _tokenHash);
    }
}
