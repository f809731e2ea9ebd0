using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;
using PlayChat.Web;

namespace PlayChat.Chat.Operations;

/// <summary>Refuses requests without the token, and requests that a foreign web page makes a browser send.</summary>
/// <param name="token">The token; empty for none.</param>
/// <param name="logger">Gets the refused tokens.</param>
internal sealed class OperationsGuard(string token, ILogger logger)
{
    private const string Scheme = "Bearer ";

    // Hashes have one length, so the comparison takes the same time for every token.
    private readonly byte[]? _tokenHash = token.Length == 0 ? null : Hash(token);

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

        if (_tokenHash is not null && context.GetEndpoint()?.Metadata.GetMetadata<IAllowAnonymous>() is null && !HasToken(request))
        {
            // A scan for the token must be seen. The log has one line for each address in a while.
            var peer = new IPEndPoint(context.Connection.RemoteIpAddress ?? IPAddress.None, context.Connection.RemotePort);
            ServerLog.TokenRefused(logger, request.Method, request.Path, peer);
            context.Response.Headers.WWWAuthenticate = "Bearer";
            return RefuseAsync(
                context,
                StatusCodes.Status401Unauthorized,
                "Send the token (Operations:Token, or the first line of Operations:TokenFile) as 'Authorization: Bearer TOKEN'.");
        }

        context.Response.Headers.XContentTypeOptions = "nosniff";
        return next(context);
    }

    private static byte[] Hash(string token) => SHA256.HashData(Encoding.UTF8.GetBytes(token));

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

    private bool HasToken(HttpRequest request)
    {
        string header = request.Headers.Authorization.ToString();
        return header.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase)
            && CryptographicOperations.FixedTimeEquals(Hash(header[Scheme.Length..].Trim()), _tokenHash);
    }
}
