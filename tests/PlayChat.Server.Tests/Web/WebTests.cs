using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Hosting;
using PlayChat.Chat.Web;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Server.Tests.Web;

public sealed class WebTests
{
    [Fact]
    public async Task The_page_is_served_with_headers_that_let_it_load_nothing_else()
    {
        await using TestServer server = await StartAsync();
        using var http = new HttpClient { BaseAddress = new Uri(server.Get<WebEndpoint>().AddressOf(server.Server)!) };

        using HttpResponseMessage page = await http.GetAsync(new Uri("/", UriKind.Relative)).WaitAsync(TestTimeouts.Hang);
        using HttpResponseMessage same = await http.GetAsync(new Uri("/index.html", UriKind.Relative)).WaitAsync(TestTimeouts.Hang);
        using HttpResponseMessage none = await http.GetAsync(new Uri("/appsettings.json", UriKind.Relative)).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(HttpStatusCode.OK, page.StatusCode);
        Assert.Equal("text/html; charset=utf-8", page.Content.Headers.ContentType?.ToString());
        string policy = page.Headers.GetValues("Content-Security-Policy").Single();
        Assert.StartsWith("default-src 'none'; script-src 'self';", policy, StringComparison.Ordinal);
        Assert.Equal("nosniff", page.Headers.GetValues("X-Content-Type-Options").Single());
        Assert.Contains("<title>PlayChat", await page.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        Assert.Equal(page.Headers.ETag, same.Headers.ETag);
        Assert.Equal(HttpStatusCode.NotFound, none.StatusCode);
    }

    [Fact]
    public async Task Players_on_TCP_and_WebSocket_chat_in_one_room()
    {
        await using TestServer server = await StartAsync();
        await using ChatClient browser = await ConnectAsync(server);
        await using ChatClient console = await ChatClient.ConnectAsync("127.0.0.1", server.EndPoint.Port);
        await browser.LoginAsync("browser");
        await console.LoginAsync("console");
        long roomId = (await browser.CreateRoomAsync("both")).RoomId;
        await console.JoinRoomAsync(roomId);
        var heard = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        browser.ChatReceived += (_, e) =>
        {
            if (!e.Message.System && e.Message.Text == "안녕")
            {
                heard.TrySetResult(e.Message.Text);
            }
        };

        await console.ChatAsync(roomId, "안녕");

        Assert.Equal("안녕", await heard.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_script_logs_in_with_JSON_and_is_told_what_is_wrong_with_it()
    {
        await using TestServer server = await StartAsync();
        using ClientWebSocket script = await WebSocketPeer.ConnectAsync(WebEndPoint(server), "playchat.v1.json");

        await SendAsync(script, """{"type":"C_LOGIN_REQ","requestId":1,"body":{"name":"민수"}}""");
        string login = await ReceiveAsync(script);
        await SendAsync(script, """{"type":"C_JOIN_ROOM_REQ","requestId":2,"body":{"roomId":"99"}}""");
        string refused = await ReceiveAsync(script);
        await SendAsync(script, """{"type":"C_JOIN_ROOM_REQ","requestId":3,"body":{"room":"99"}}""");
        string end = await ReceiveAsync(script);

        Assert.Matches("""^{"type":"S_LOGIN_RES","requestId":1,"body":{.*"name": ?"민수".*}}$""", login);
        Assert.Matches("""^{"type":"S_ERROR_NTF","requestId":2,"body":{.*"ERROR_CODE_ROOM_NOT_FOUND".*}}$""", refused);
        Assert.StartsWith("""{"type":"S_CLOSE_NTF",""", end, StringComparison.Ordinal);
        Assert.Equal("", await ReceiveAsync(script));
        Assert.Equal(1007, (int)script.CloseStatus!);
        Assert.Contains("room", script.CloseStatusDescription, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("127.0.0.1:7777", "Auto", true)]
    [InlineData("localhost:7777", "Auto", true)]
    [InlineData("[::1]:7777", "Auto", true)]
    [InlineData("127.0.0.1:0", "Auto", false)]
    [InlineData("0.0.0.0:7777", "Auto", false)]
    [InlineData("0.0.0.0:7777", "True", true)]
    [InlineData("127.0.0.1:7777", "False", false)]
    public void There_is_a_port_for_browsers_when_it_is_asked_for_or_only_this_machine_can_reach_it(
        string address, string enabled, bool expected)
    {
        var options = new PlayChatOptions();
        options.ListenTcp(address);
        var web = new WebSettings { Enabled = Enum.Parse<AutoSwitch>(enabled), Port = 0 };

        new WebEndpoint(new ServerSettings { Web = web }).AddTo(options);

        Assert.Equal(expected ? 2 : 1, options.Endpoints.Count);
        Assert.All(options.Endpoints.Skip(1), endpoint =>
        {
            Assert.Equal(address[..address.LastIndexOf(':')] + ":0", endpoint.Address);
            Assert.NotNull(endpoint.WebSocket.Content);
        });
    }

    [Fact]
    public void A_port_that_is_taken_leaves_the_server_without_one_unless_it_was_asked_for()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        int port = ((IPEndPoint)other.LocalEndpoint).Port;
        var options = new PlayChatOptions();
        options.ListenTcp("127.0.0.1:7777");
        var web = new WebEndpoint(new ServerSettings { Web = new WebSettings { Port = port } });

        web.AddTo(options);

        Assert.Equal(port, web.TakenPort);
        Assert.Single(options.Endpoints);
    }

    [Fact]
    public async Task A_port_that_was_asked_for_and_is_taken_fails_the_start()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        int port = ((IPEndPoint)other.LocalEndpoint).Port;

        await Assert.ThrowsAsync<ListenFailedException>(() =>
            TestServer.StartOnSocketsAsync("--Web:Enabled=true", $"--Web:Port={port}"));
    }

    [Fact]
    public void The_port_for_browsers_has_proxies_of_its_own()
    {
        var options = new PlayChatOptions();
        options.ListenTcp("127.0.0.1:7777");
        var web = new WebSettings { Enabled = AutoSwitch.True, Port = 0, TrustedProxies = "10.0.0.1" };
        web.ProxyProtocol.TrustedSources = "10.0.0.2";

        new WebEndpoint(new ServerSettings { Web = web }).AddTo(options);

        Assert.Equal(("", ""), (options.Endpoints[0].WebSocket.TrustedProxies, options.Endpoints[0].ProxyProtocol.TrustedSources));
        Assert.Equal(
            ("10.0.0.1", "10.0.0.2"), (options.Endpoints[1].WebSocket.TrustedProxies, options.Endpoints[1].ProxyProtocol.TrustedSources));
    }

    [Fact]
    public async Task A_ban_holds_for_the_address_that_a_trusted_proxy_names_and_every_player_needs_a_password()
    {
        await using TestServer server = await TestServer.StartOnSocketsAsync(
            "--Web:Enabled=true", "--Web:Port=0", "--Web:TrustedProxies=127.0.0.1");
        await server.Store.SaveBanAsync(new Ban(
            BanText.Parse("192.0.2.0/24"), "spam", DateTimeOffset.UnixEpoch, ExpiresAt: null));
        await server.Get<Reloader>().ReloadAsync().WaitAsync(TestTimeouts.Hang);

        using ClientWebSocket free = await ConnectFromAsync(server, "198.51.100.1");
        await SendAsync(free, """{"type":"C_LOGIN_REQ","requestId":1,"body":{"name":"free"}}""");
        using ClientWebSocket banned = await ConnectFromAsync(server, "192.0.2.9");

        Assert.Contains("ERROR_CODE_PASSWORD_REQUIRED", await ReceiveAsync(free), StringComparison.Ordinal);
        Assert.Matches("ERROR_CODE_BANNED.*spam", await ReceiveAsync(banned));
    }

    private static async Task<ClientWebSocket> ConnectFromAsync(TestServer server, string address)
    {
        var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("playchat.v1.json");
        socket.Options.SetRequestHeader("X-Forwarded-For", address);
        await socket.ConnectAsync(new Uri($"ws://{WebEndPoint(server)}/ws"), CancellationToken.None).WaitAsync(TestTimeouts.Hang);
        return socket;
    }

    private static Task<TestServer> StartAsync() => TestServer.StartOnSocketsAsync("--Web:Enabled=true", "--Web:Port=0");

    private static EndPoint WebEndPoint(TestServer server) => server.Server.EndPoints[1];

    private static Task<ChatClient> ConnectAsync(TestServer server) => ChatClient.ConnectAsync(new Uri($"ws://{WebEndPoint(server)}"));

    private static Task SendAsync(ClientWebSocket socket, string text) =>
        socket.SendAsync(Encoding.UTF8.GetBytes(text), WebSocketMessageType.Text, endOfMessage: true, CancellationToken.None);

    /// <summary>The next text message; empty for the close frame.</summary>
    private static async Task<string> ReceiveAsync(ClientWebSocket socket)
    {
        byte[] buffer = new byte[4096];
        WebSocketReceiveResult result = await socket.ReceiveAsync(new ArraySegment<byte>(buffer), CancellationToken.None)
            .WaitAsync(TestTimeouts.Hang);
        Assert.True(result.EndOfMessage);
        return Encoding.UTF8.GetString(buffer, 0, result.Count);
    }
}
