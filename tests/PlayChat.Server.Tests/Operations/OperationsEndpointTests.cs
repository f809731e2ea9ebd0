using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Diagnostics;
using PlayChat.Chat.Hosting;
using PlayChat.Chat.Operations;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Server.Tests.Operations;

public sealed class OperationsEndpointTests
{
    private const string Token = "0123456789abcdef";

    [Fact]
    public async Task Without_the_option_there_is_no_endpoint()
    {
        await using TestServer server = await TestServer.StartAsync();

        Assert.Null(server.Find<OperationsEndpoint>());
    }

    [Fact]
    public async Task A_part_answers_under_its_route_and_nothing_else_does()
    {
        await using TestServer server = await StartWithPartAsync();
        using HttpClient http = server.Http();

        Assert.Equal("hello", await http.GetStringAsync(OperationsServer.Path("/hello")).WaitAsync(TestTimeouts.Hang));
        using HttpResponseMessage none = await http.GetAsync(OperationsServer.Path("/none")).WaitAsync(TestTimeouts.Hang);
        Assert.Equal(HttpStatusCode.NotFound, none.StatusCode);
    }

    [Theory]
    [InlineData("/hello", null, HttpStatusCode.Unauthorized)]
    [InlineData("/hello", "0123456789abcdeg", HttpStatusCode.Unauthorized)]
    [InlineData("/hello", Token, HttpStatusCode.OK)]
    [InlineData("/open", null, HttpStatusCode.OK)]
    [InlineData("/none", null, HttpStatusCode.Unauthorized)]
    public async Task A_request_needs_the_token_unless_its_route_is_open(string path, string? token, HttpStatusCode expected)
    {
        await using TestServer server = await StartWithPartAsync("--Operations:Token=" + Token);
        using HttpClient http = server.Http();
        http.DefaultRequestHeaders.Authorization = token is null ? null : new AuthenticationHeaderValue("Bearer", token);

        using HttpResponseMessage response = await http.GetAsync(OperationsServer.Path(path)).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(expected, response.StatusCode);
    }

    [Fact]
    public async Task A_request_without_the_token_is_logged_and_one_that_needs_none_is_not()
    {
        var log = new RecordingLogger();
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services => services.AddSingleton<ILoggerFactory>(log),
            "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0", "--Operations:Token=" + Token);
        using HttpClient http = server.Http();

        (await http.GetAsync(OperationsServer.Path("/healthz/live")).WaitAsync(TestTimeouts.Hang)).Dispose();
        (await http.GetAsync(OperationsServer.Path("/metrics")).WaitAsync(TestTimeouts.Hang)).Dispose();

        (LogLevel Level, string? Event, string Text) refusal = Assert.Single(log.Entries, static entry => entry.Event == "TokenRefused");
        Assert.Equal(LogLevel.Warning, refusal.Level);
        Assert.StartsWith("The operations endpoint refused GET /metrics from 127.0.0.1:", refusal.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_start_without_a_token_warns_and_one_with_a_token_does_not()
    {
        using var folder = new TemporaryDirectory();

        Assert.Equal(1, await CountWarningsAsync());
        Assert.Equal(0, await CountWarningsAsync("--Operations:Token=" + Token));
        Assert.Equal(0, await CountWarningsAsync("--Operations:TokenFile=" + folder.Combine("token")));
    }

    [Fact]
    public async Task A_token_file_that_is_missing_is_made_for_the_owner_alone_and_used_by_the_next_start()
    {
        using var folder = new TemporaryDirectory();
        string file = folder.Combine("token");
        await (await StartWithPartAsync("--Operations:TokenFile=" + file)).DisposeAsync();
        string token = (await File.ReadAllTextAsync(file)).Trim();

        await using TestServer server = await StartWithPartAsync("--Operations:TokenFile=" + file);
        using HttpClient http = server.Http();
        using HttpResponseMessage without = await http.GetAsync(OperationsServer.Path("/hello")).WaitAsync(TestTimeouts.Hang);
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
        using HttpResponseMessage with = await http.GetAsync(OperationsServer.Path("/hello")).WaitAsync(TestTimeouts.Hang);

        Assert.Equal((HttpStatusCode.Unauthorized, HttpStatusCode.OK), (without.StatusCode, with.StatusCode));
        Assert.Equal(64, token.Length);
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file));
        }
    }

    [Theory]
    [InlineData("", "The first line of Operations:TokenFile '")]
    [InlineData("short\n0123456789abcdef", "The first line of Operations:TokenFile '")]
    public async Task A_token_file_without_a_usable_token_fails_the_start(string content, string expected)
    {
        using var folder = new TemporaryDirectory();
        string file = folder.Combine("token");
        await File.WriteAllTextAsync(file, content);

        StartException error = await Assert.ThrowsAsync<StartException>(() => StartWithPartAsync("--Operations:TokenFile=" + file));

        Assert.StartsWith(expected, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_token_itself_comes_before_its_file()
    {
        var settings = new OperationsSettings { Token = Token, TokenFile = "no-such-file" };

        Assert.Equal(Token, OperationsToken.Read(settings));
        settings.Token = "";
        StartException error = Assert.Throws<StartException>(() => OperationsToken.Read(settings));
        Assert.StartsWith("Operations:TokenFile is 'no-such-file'; reading it failed: ", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Origin", "https://evil.example")]
    [InlineData("Host", "evil.example")]
    public async Task A_request_of_a_foreign_page_is_refused(string header, string value)
    {
        await using TestServer server = await StartWithPartAsync();
        using HttpClient http = server.Http();
        using var request = new HttpRequestMessage(HttpMethod.Get, OperationsServer.Path("/hello"));
        request.Headers.Add(header, value);

        using HttpResponseMessage response = await http.SendAsync(request).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
    }

    [Theory]
    [InlineData("http://localhost", "localhost:80")]
    [InlineData("http://localhost:80", "localhost")]
    [InlineData("http://LOCALHOST.", "localhost")]
    public async Task A_page_of_the_endpoint_itself_is_served_however_its_place_is_written(string origin, string host)
    {
        await using TestServer server = await StartWithPartAsync();
        using HttpClient http = server.Http();
        using var request = new HttpRequestMessage(HttpMethod.Get, OperationsServer.Path("/hello"));
        request.Headers.Add("Origin", origin);
        request.Headers.Host = host;

        using HttpResponseMessage response = await http.SendAsync(request).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
    }

    [Fact]
    public async Task A_probe_of_HTTP_1_0_needs_no_host_name()
    {
        await using TestServer server = await StartWithPartAsync();
        using var client = new TcpClient();
        Uri address = server.Get<OperationsEndpoint>().Address!;
        await client.ConnectAsync(address.Host, address.Port).WaitAsync(TestTimeouts.Hang);

        await client.GetStream().WriteAsync("GET /hello HTTP/1.0\r\n\r\n"u8.ToArray());
        using var reader = new StreamReader(client.GetStream());

        Assert.Equal("HTTP/1.1 200 OK", await reader.ReadLineAsync().WaitAsync(TestTimeouts.Hang));
    }

    [Theory]
    [InlineData("nonsense", "", "", "Operations:Address is 'nonsense'")]
    [InlineData("127.0.0.1", "", "", "Operations:Address is '127.0.0.1'")]
    [InlineData("0.0.0.0:0", "", "", "Set Operations:Token or Operations:TokenFile, and Operations:CertificatePath")]
    [InlineData("*:0", Token, "", "Set Operations:Token or Operations:TokenFile, and Operations:CertificatePath")]
    [InlineData("127.0.0.1:0", "short", "", "Operations:Token is not usable")]
    [InlineData("127.0.0.1:0", "", "no-such-file.pem", "there is no such file")]
    public void Wrong_settings_say_what_to_do(string address, string token, string certificate, string expected)
    {
        var settings = new OperationsSettings { Enabled = true, Address = address, Token = token, CertificatePath = certificate };

        StartException error = Assert.Throws<StartException>(() => OperationsAddress.Check(settings));

        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
        Assert.True(token.Length == 0 || !error.Message.Contains(token, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("pem")]
    [InlineData("pfx")]
    public async Task A_client_that_knows_only_the_root_trusts_a_certificate_with_its_chain(string form)
    {
        using var folder = new TemporaryDirectory();
        using var chain = new TestCertificateChain();
        string path = folder.Combine("operations." + form);
        byte[] file = form == "pem" ? System.Text.Encoding.ASCII.GetBytes(chain.ExportPem()) : chain.ExportPfx("secret");
        await File.WriteAllBytesAsync(path, file);
        await using TestServer server = await StartWithPartAsync(
            "--Operations:CertificatePath=" + path, "--Operations:CertificatePassword=" + (form == "pem" ? "" : "secret"));
        var policy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        };
        policy.CustomTrustStore.Add(chain.Root);
        using var handler = new SocketsHttpHandler();
        handler.SslOptions.CertificateChainPolicy = policy;
        using var http = new HttpClient(handler)
        {
            BaseAddress = new UriBuilder(server.Get<OperationsEndpoint>().Address!) { Host = "localhost" }.Uri, // as the certificate says
        };

        Assert.Equal("open", await http.GetStringAsync(OperationsServer.Path("/open")).WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_renewed_certificate_is_shown_after_a_reload()
    {
        using var folder = new TemporaryDirectory();
        using var first = new TestCertificate();
        using var second = new TestCertificate();
        string path = folder.Combine("operations.pfx");
        await File.WriteAllBytesAsync(path, first.Own.Export(X509ContentType.Pfx));
        await using TestServer server = await StartWithPartAsync("--Operations:Token=" + Token, "--Operations:CertificatePath=" + path);

        Assert.Equal("open", await GetTrustingAsync(server, first));
        await File.WriteAllBytesAsync(path, second.Own.Export(X509ContentType.Pfx));
        await server.Get<Reloader>().ReloadAsync().WaitAsync(TestTimeouts.Hang);

        Assert.Equal("open", await GetTrustingAsync(server, second));
        await Assert.ThrowsAsync<HttpRequestException>(() => GetTrustingAsync(server, first));
    }

    [Fact]
    public async Task A_renewed_certificate_is_shown_without_being_asked_for_and_a_broken_one_is_not()
    {
        using var folder = new TemporaryDirectory();
        using var first = new TestCertificate();
        using var second = new TestCertificate();
        using var log = new RecordingLogger();
        var time = new ManualTimeProvider();
        string path = folder.Combine("operations.pfx");
        await File.WriteAllBytesAsync(path, first.Own.Export(X509ContentType.Pfx));
        await using TestServer server = await TestServer.StartUnderAsync(
            time,
            services => services.AddSingleton<IOperationsPart, HelloPart>().AddSingleton<ILoggerFactory>(log),
            "--Operations:Enabled=true",
            "--Operations:Address=127.0.0.1:0",
            "--Operations:Token=" + Token,
            "--Operations:CertificatePath=" + path);

        await File.WriteAllTextAsync(path, "no certificate");
        time.Advance(TimeSpan.FromMinutes(1));
        time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal("open", await GetTrustingAsync(server, first));
        await File.WriteAllBytesAsync(path, second.Own.Export(X509ContentType.Pfx));
        time.Advance(TimeSpan.FromMinutes(1));

        Assert.Equal("open", await GetTrustingAsync(server, second));
        Assert.Equal((1, 1), (log.Count(nameof(ServerLog.PartNotReloaded)), log.Count(nameof(ServerLog.PartReloaded))));
    }

    [Fact]
    public async Task A_taken_port_fails_the_start_with_advice()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();

        StartException error = await Assert.ThrowsAsync<StartException>(
            () => TestServer.StartAsync("--Operations:Enabled=true", $"--Operations:Address={other.LocalEndpoint}"));

        Assert.Contains("set another Operations:Address", error.Message, StringComparison.Ordinal);
    }

    // A client of its own each time: a kept connection would show the certificate of its handshake.
    private static async Task<string> GetTrustingAsync(TestServer server, TestCertificate certificate)
    {
        using var handler = new SocketsHttpHandler();
        handler.SslOptions.RemoteCertificateValidationCallback = certificate.IsMine;
        using var http = new HttpClient(handler) { BaseAddress = server.Get<OperationsEndpoint>().Address };
        return await http.GetStringAsync(OperationsServer.Path("/open")).WaitAsync(TestTimeouts.Hang);
    }

    private static async Task<int> CountWarningsAsync(params string[] args)
    {
        using var log = new RecordingLogger();
        await using TestServer server = await TestServer.StartInAsync(
            null,
            services => services.AddSingleton<ILoggerFactory>(log),
            ["--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0", .. args]);
        return log.Count(nameof(ServerLog.OperationsOpen));
    }

    private static Task<TestServer> StartWithPartAsync(params string[] args) =>
        TestServer.StartInAsync(
            null,
            static services => services.AddSingleton<IOperationsPart, HelloPart>(),
            ["--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0", .. args]);

    private sealed class HelloPart : IOperationsPart
    {
        public void Map(IEndpointRouteBuilder routes)
        {
            routes.MapGet("/hello", static (HttpContext context) => context.Response.WriteAsync("hello"));
            routes.MapGet("/open", static (HttpContext context) => context.Response.WriteAsync("open")).AllowAnonymous();
        }
    }
}
