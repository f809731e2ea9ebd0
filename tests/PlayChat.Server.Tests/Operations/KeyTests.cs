using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Cli;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Operations;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Operations;

/// <summary>Keys of other programs, and what they may do.</summary>
public sealed partial class KeyTests
{
    private const string Token = "0123456789abcdef";
    private const string Key = "pck_of-a-bot-that-says-something";

    private readonly RecordingLogger _log = new();
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task A_key_does_what_its_scopes_allow_and_nothing_else()
    {
        await using TestServer server = await StartAsync("messages.write, rooms.read");
        await using TestClient kim = await server.LoginAsync("Kim");
        SCreateRoomRes room = await kim.CreateAsync("lobby");

        (HttpStatusCode status, string text) said = await SendAsync(
            server, Key, HttpMethod.Post, $"/api/v1/rooms/{room.RoomId}/messages", """{"player":"ci","text":"Build 7 is green."}""");
        (HttpStatusCode status, string text) rooms = await SendAsync(server, Key, HttpMethod.Get, "/api/v1/rooms");
        (HttpStatusCode status, string text) removed = await SendAsync(server, Key, HttpMethod.Delete, $"/api/v1/rooms/{room.RoomId}");
        (HttpStatusCode status, string text) sessions = await SendAsync(server, Key, HttpMethod.Get, "/api/v1/sessions");
        (HttpStatusCode status, string text) metrics = await SendAsync(server, Key, HttpMethod.Get, "/metrics");
        (HttpStatusCode status, string text) drained = await SendAsync(server, Key, HttpMethod.Post, "/api/v1/drain", "{}");
        (HttpStatusCode status, string text) none = await SendAsync(server, Key, HttpMethod.Get, "/api/v1/none");

        Assert.Equal(HttpStatusCode.OK, said.status);
        Assert.Equal("Build 7 is green.", (await kim.NextAsync<SRoomChatNtf>()).Text);
        Assert.Equal(HttpStatusCode.OK, rooms.status);
        Assert.Equal(HttpStatusCode.Forbidden, removed.status);
        Assert.Equal(
            "The key ci needs the scope rooms.write for this. Add it to Operations:Keys, and restart the server.\n", removed.text);
        Assert.Contains("needs the scope players.read", sessions.text, StringComparison.Ordinal);
        Assert.Contains("needs the scope status.read", metrics.text, StringComparison.Ordinal);
        Assert.Equal((HttpStatusCode.Forbidden, "Only the operator's token may do this.\n"), drained);
        Assert.Equal(HttpStatusCode.NotFound, none.status);
        Assert.False(server.Lifetime.ApplicationStopping.IsCancellationRequested);
        Assert.Contains(
            _log.Entries, static entry => entry.Text.StartsWith("The key ci at 127.0.0.1 requested POST", StringComparison.Ordinal));
        Assert.Contains(
            _log.Entries, static entry => entry.Event == "KeyRefused" && entry.Text.Contains("DELETE", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_key_reads_a_room_page_by_page_also_when_it_sleeps()
    {
        await using TestServer server = await StartAsync("messages.read");
        await using TestClient kim = await server.LoginAsync("Kim");
        SCreateRoomRes room = await kim.CreateAsync("lobby");
        await kim.SayAsync(room.RoomId, "first");
        await kim.SayAsync(room.RoomId, "second");
        await kim.DisposeAsync();
        _time.Advance(TimeSpan.FromSeconds(1)); // more than the chat log waits for a batch
        await Eventually.GetAsync(
            () => server.Store.ReadChatAfterAsync(room.RoomId, 0, limit: 10), static stored => stored.Count >= 2);
        string path = $"/api/v1/rooms/{room.RoomId}/messages?limit=1";

        using JsonDocument page = JsonDocument.Parse((await SendAsync(server, Key, HttpMethod.Get, path)).Text);
        long next = page.RootElement.GetProperty("nextAfter").GetInt64();
        using JsonDocument last = JsonDocument.Parse((await SendAsync(server, Key, HttpMethod.Get, $"{path}&after={next}")).Text);

        Assert.Equal("first", page.RootElement.GetProperty("items")[0].GetProperty("text").GetString());
        Assert.Equal("second", last.RootElement.GetProperty("items")[0].GetProperty("text").GetString());
        Assert.Equal(HttpStatusCode.Forbidden, (await SendAsync(server, Key, HttpMethod.Get, "/api/v1/rooms")).Status);
        Assert.Equal(HttpStatusCode.BadRequest, (await SendAsync(server, Key, HttpMethod.Get, path + "0000")).Status);
    }

    [Fact]
    public async Task The_operators_token_keeps_every_right_and_a_wrong_key_has_none()
    {
        await using TestServer server = await StartAsync("rooms.read");

        Assert.Equal(HttpStatusCode.OK, (await SendAsync(server, Token, HttpMethod.Get, "/api/v1/limits")).Status);
        Assert.Equal(HttpStatusCode.Unauthorized, (await SendAsync(server, Key + "x", HttpMethod.Get, "/api/v1/rooms")).Status);
        Assert.Equal(HttpStatusCode.Unauthorized, (await SendAsync(server, Hash(Key), HttpMethod.Get, "/api/v1/rooms")).Status);
        Assert.Equal(HttpStatusCode.Unauthorized, (await SendAsync(server, null, HttpMethod.Get, "/api/v1/rooms")).Status);
    }

    [Fact]
    public async Task A_key_that_asks_too_often_waits_and_the_operator_does_not()
    {
        await using TestServer server = await StartAsync("rooms.read", "--Operations:Keys:0:RequestsPerMinute=2");

        Assert.Equal(HttpStatusCode.OK, (await SendAsync(server, Key, HttpMethod.Get, "/api/v1/rooms")).Status);
        Assert.Equal(HttpStatusCode.OK, (await SendAsync(server, Key, HttpMethod.Get, "/api/v1/rooms")).Status);
        using HttpResponseMessage third = await RequestAsync(server, Key, HttpMethod.Get, "/api/v1/rooms");

        Assert.Equal(HttpStatusCode.TooManyRequests, third.StatusCode);
        Assert.Equal(TimeSpan.FromSeconds(30), third.Headers.RetryAfter!.Delta);
        Assert.Equal(HttpStatusCode.OK, (await SendAsync(server, Token, HttpMethod.Get, "/api/v1/rooms")).Status);
        _time.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(HttpStatusCode.OK, (await SendAsync(server, Key, HttpMethod.Get, "/api/v1/rooms")).Status);
    }

    [Theory]
    [InlineData("Operations:Keys:0:Name is 'a b'; allowed are", "a b", "rooms.read", null)]
    [InlineData("Operations:Keys:0:Hash is not usable;", "ci", "rooms.read", "12")]
    [InlineData("Operations:Keys:0:Scopes is 'rooms.reed'; allowed are some of accounts.read,", "ci", "rooms.reed", null)]
    [InlineData("Operations:Keys:0:Scopes is ''; allowed are", "ci", "", null)]
    public async Task A_key_that_is_not_usable_is_named(string expected, string name, string scopes, string? hash)
    {
        StartException problem = await Assert.ThrowsAsync<StartException>(() => TestServer.StartAsync(
            "--Operations:Token=" + Token,
            $"--Operations:Keys:0:Name={name}",
            $"--Operations:Keys:0:Hash={hash ?? Hash(Key)}",
            $"--Operations:Keys:0:Scopes={scopes}"));

        Assert.StartsWith(expected, problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Keys_need_a_token_beside_them_and_names_of_their_own()
    {
        string[] keys =
        [
            "--Operations:Keys:0:Name=ci", "--Operations:Keys:0:Hash=" + Hash(Key), "--Operations:Keys:0:Scopes=rooms.read",
        ];

        StartException open = await Assert.ThrowsAsync<StartException>(() => TestServer.StartAsync(keys));
        StartException twice = await Assert.ThrowsAsync<StartException>(() => TestServer.StartAsync(
        [
            "--Operations:Token=" + Token, .. keys, .. keys.Select(static key => key.Replace(":0:", ":1:", StringComparison.Ordinal)),
        ]));

        Assert.Contains(
            "without Operations:Token or Operations:TokenFile every request has all of them", open.Message, StringComparison.Ordinal);
        Assert.Contains("two keys of the name 'ci'", twice.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Every_route_of_the_API_says_which_scope_it_needs_or_that_it_is_the_operators()
    {
        await using TestServer server = await StartAsync("rooms.read");
        using HttpResponseMessage answer = await RequestAsync(server, Token, HttpMethod.Get, "/api/v1/openapi.json");
        using var document = System.Text.Json.JsonDocument.Parse(await answer.Content.ReadAsStringAsync());

        string[] descriptions =
        [
            .. document.RootElement.GetProperty("paths").EnumerateObject().SelectMany(static path => path.Value.EnumerateObject())
                .Select(static verb => verb.Value.GetProperty("description").GetString()!),
        ];

        Assert.All(descriptions, static text => Assert.StartsWith("Needs the operator's token", text, StringComparison.Ordinal));
        Assert.Equal(
            OperationsScope.All,
            descriptions.Select(static text => Scope().Match(text).Groups["scope"].Value).Where(static name => name.Length > 0)
                .Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal),
            StringComparer.Ordinal);
        Assert.Equal("Needs the operator's token.", document.RootElement.GetProperty("paths").GetProperty("/api/v1/drain")
            .GetProperty("post").GetProperty("description").GetString());
    }

    [Fact]
    public async Task The_command_makes_a_key_that_a_server_takes()
    {
        using var output = new StringWriter { NewLine = "\n" };
        int code = await new KeysCommand(output, TextWriter.Null).RunAsync(["new", "shop", "--scopes", "rooms.read,status.read"]);
        string key = NewKey().Match(output.ToString()).Value;
        string[] settings = [.. NewSetting().Matches(output.ToString()).Select(
            static line => $"--{line.Groups["key"].Value.Replace("__", ":", StringComparison.Ordinal)}={line.Groups["value"].Value}")];
        await using TestServer server = await OperationsServer.StartAsync(["--Operations:Token=" + Token, .. settings]);

        Assert.Equal(ExitCode.Success, code);
        Assert.Equal(3, settings.Length);
        Assert.Equal(HttpStatusCode.OK, (await SendAsync(server, key, HttpMethod.Get, "/api/v1/status")).Status);
        Assert.Equal(HttpStatusCode.Forbidden, (await SendAsync(server, key, HttpMethod.Get, "/api/v1/bans")).Status);
    }

    [Theory]
    [InlineData("'a b' is no name of a key: it has up to 64 letters, digits, dots, hyphens and underscores.", "a b", "rooms.read")]
    [InlineData("--scopes is 'rooms'; allowed are some of accounts.read, ", "ci", "rooms")]
    public async Task A_wrong_command_line_makes_no_key(string expected, string name, string scopes)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();

        Assert.Equal(ExitCode.BadArguments, await new KeysCommand(output, error).RunAsync(["new", name, "--scopes", scopes]));

        Assert.Empty(output.ToString());
        Assert.StartsWith(expected, error.ToString(), StringComparison.Ordinal);
    }

    private static string Hash(string key) => Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(key)));

    private static async Task<(HttpStatusCode Status, string Text)> SendAsync(
        TestServer server, string? key, HttpMethod method, string path, string? body = null)
    {
        using HttpResponseMessage answer = await RequestAsync(server, key, method, path, body);
        return (answer.StatusCode, await answer.Content.ReadAsStringAsync().WaitAsync(TestTimeouts.Hang));
    }

    private static async Task<HttpResponseMessage> RequestAsync(
        TestServer server, string? key, HttpMethod method, string path, string? body = null)
    {
        using HttpClient http = server.Http();
        using var request = new HttpRequestMessage(method, OperationsServer.Path(path));
        request.Headers.Authorization = key is null ? null : new AuthenticationHeaderValue("Bearer", key);
        request.Content = body is null ? null : new StringContent(body, Encoding.UTF8, "application/json");
        return await http.SendAsync(request).WaitAsync(TestTimeouts.Hang);
    }

    private Task<TestServer> StartAsync(string scopes, params string[] args) => TestServer.StartUnderAsync(
        _time,
        services => services.AddSingleton<ILoggerFactory>(_log),
        [
            "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0", "--Operations:Token=" + Token,
            "--Operations:Keys:0:Name=ci", "--Operations:Keys:0:Hash=" + Hash(Key), "--Operations:Keys:0:Scopes=" + scopes,
            .. args,
        ]);

    [GeneratedRegex("scope (?<scope>[a-z.]+)\\.$", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Scope();

    [GeneratedRegex("pck_[0-9A-F]{64}", RegexOptions.None, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex NewKey();

    [GeneratedRegex("PLAYCHAT_(?<key>[^=]+)=(?<value>.+)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex NewSetting();
}
