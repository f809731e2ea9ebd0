using System.Net.Http.Headers;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using PlayChat.Chat.Operations.Admin;

namespace PlayChat.Chat.Cli;

/// <summary>Sends requests to the admin API of a running server, and returns the JSON of the answers.</summary>
/// <remarks>Each request throws a <see cref="StartException"/> when the server is unreachable, or has refused it.</remarks>
internal sealed class AdminClient : IDisposable
{
    private static readonly TimeSpan s_connectTimeout = TimeSpan.FromSeconds(30);

    private readonly HttpClient _http;

    /// <param name="address">Where the operations endpoint listens.</param>
    /// <param name="token">The token; empty for none.</param>
    /// <param name="certificate">A certificate that is accepted as it is, beside those that the system trusts.</param>
    /// <param name="timeout">How long an answer may take; <see cref="Timeout.InfiniteTimeSpan"/> for any time.</param>
    public AdminClient(Uri address, string token, X509Certificate2? certificate, TimeSpan timeout)
    {
        var handler = new SocketsHttpHandler { UseProxy = false, AllowAutoRedirect = false, ConnectTimeout = s_connectTimeout };
        if (certificate is not null)
        {
            byte[] expected = certificate.GetCertHash();
            handler.SslOptions.RemoteCertificateValidationCallback = (_, shown, _, errors) =>
                errors == System.Net.Security.SslPolicyErrors.None || (shown is not null && shown.GetCertHash().SequenceEqual(expected));
        }

        _http = new HttpClient(handler) { BaseAddress = address, Timeout = timeout };
        if (token.Length > 0)
        {
            _http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
        }
    }

    public void Dispose() => _http.Dispose();

    public Task<string> GetAsync(string path, CancellationToken cancellationToken) =>
        SendAsync(HttpMethod.Get, path, null, cancellationToken);

    public Task<string> SendAsync<TBody>(
        HttpMethod method, string path, TBody body, JsonTypeInfo<TBody> type, CancellationToken cancellationToken) =>
        SendAsync(method, path, JsonSerializer.Serialize(body, type), cancellationToken);

    public Task<string> SendAsync(HttpMethod method, string path, CancellationToken cancellationToken) =>
        SendAsync(method, path, "{}", cancellationToken);

    private async Task<string> SendAsync(HttpMethod method, string path, string? body, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(method, new Uri(AdminApi.Prefix + path, UriKind.Relative));
        if (body is not null)
        {
            request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        }

        try
        {
            using HttpResponseMessage response = await _http.SendAsync(request, cancellationToken);
            string text = await response.Content.ReadAsStringAsync(cancellationToken);
            return response.IsSuccessStatusCode ? text : throw new StartException(Explain((int)response.StatusCode, text));
        }
        catch (HttpRequestException e)
        {
            throw new StartException(
                $"No operations endpoint answers at {_http.BaseAddress}: {e.GetBaseException().Message}. Start the server with "
                    + "Operations:Enabled=true, or name its address with --url.",
                e);
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            TimeSpan limit = _http.Timeout == Timeout.InfiniteTimeSpan ? s_connectTimeout : _http.Timeout;
            throw new StartException($"The server at {_http.BaseAddress} did not answer within {limit.TotalSeconds:0} s.", e);
        }
    }

    private static string Explain(int status, string text)
    {
        if (status == 401)
        {
            return "The server refused the token. Name the file of its Operations:TokenFile by --token-file, or give the value of its "
                + "Operations:Token in such a file or in the environment variable PLAYCHAT_Operations__Token.";
        }

        try
        {
            return JsonSerializer.Deserialize(text, AdminJson.Default.Problem)?.Detail ?? $"The server answered {status}.";
        }
        catch (JsonException)
        {
            return $"The server answered {status}: {text.Trim()}";
        }
    }
}
