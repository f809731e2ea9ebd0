using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using PlayChat.Chat;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Operations.Admin;

/// <summary>A chat server with an operations endpoint and a token, and a client of its admin API over HTTP.</summary>
internal sealed class AdminServer : IAsyncDisposable
{
    public const string Token = "0123456789abcdef";

    private static readonly string[] s_clauseEnds = [". ", "; ", ": "];

    private AdminServer(TestServer server)
    {
        Server = server;
        Http = server.Http();
        Http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Token);
    }

    public TestServer Server { get; }

    public HttpClient Http { get; }

    public static async Task<AdminServer> StartAsync(params string[] args) =>
        new(await OperationsServer.StartAsync(["--Operations:Token=" + Token, .. args]));

    /// <summary>With what extends the chat.</summary>
    public static async Task<AdminServer> StartExtendedAsync(Action<ChatBuilder> configure) => new(await TestServer.StartExtendedAsync(
        configure, null, "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0", "--Operations:Token=" + Token));

    public async ValueTask DisposeAsync()
    {
        Http.Dispose();
        await Server.DisposeAsync();
    }

    /// <summary>Reads something that must succeed.</summary>
    public async Task<JsonElement> GetAsync(string path)
    {
        (HttpStatusCode status, JsonElement answer) = await SendAsync(HttpMethod.Get, path);
        Assert.True(status == HttpStatusCode.OK, $"{path}: {status} {answer}");
        return answer;
    }

    /// <summary>Changes something, which must succeed.</summary>
    /// <returns>What was done.</returns>
    public async Task<string> DoAsync(HttpMethod method, string path, string body = "{}")
    {
        (HttpStatusCode status, JsonElement answer) = await SendAsync(method, path, body);
        Assert.True(status == HttpStatusCode.OK, $"{path}: {status} {answer}");
        return answer.GetProperty("message").GetString()!;
    }

    /// <summary>Sends a request that must fail.</summary>
    /// <returns>The reason.</returns>
    public async Task<string> FailAsync(HttpStatusCode expected, HttpMethod method, string path, string? body = null)
    {
        (HttpStatusCode status, JsonElement answer) = await SendAsync(method, path, body);
        Assert.True(status == expected, $"{path}: {status} {answer}");
        Assert.Equal((int)expected, answer.GetProperty("status").GetInt32());
        string detail = answer.GetProperty("detail").GetString()!;
        Assert.True(
            s_clauseEnds.Any(end => detail.Contains(end, StringComparison.Ordinal)),
            $"{path} says what is wrong, but not what to do: {detail}");
        return detail;
    }

    private async Task<(HttpStatusCode Status, JsonElement Answer)> SendAsync(HttpMethod method, string path, string? body = null)
    {
        using var request = new HttpRequestMessage(method, OperationsServer.Path("/api/v1" + path));
        if (body is not null)
        {
            request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        }

        using HttpResponseMessage response = await Http.SendAsync(request).WaitAsync(TestTimeouts.Hang);
        string text = await response.Content.ReadAsStringAsync().WaitAsync(TestTimeouts.Hang);
        using var document = JsonDocument.Parse(text.Length == 0 ? "{}" : text);
        return (response.StatusCode, document.RootElement.Clone());
    }
}
