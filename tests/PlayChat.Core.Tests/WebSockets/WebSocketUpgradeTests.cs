using System.Text;
using PlayChat.Core.WebSockets;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.WebSockets;

public sealed class WebSocketUpgradeTests
{
    private const string Key = "dGhlIHNhbXBsZSBub25jZQ==";

    private readonly WebSocketOptions _options = new();

    [Fact]
    public void The_key_of_the_specification_has_its_answer() =>
        Assert.Equal("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", WebSocketUpgrade.AcceptOf(Key));

    [Fact]
    public void A_request_of_a_browser_is_accepted()
    {
        (HttpAnswer? answer, string response, string? subprotocol) = Judge(Request(
            "Origin: http://chat.example:7780", "Sec-WebSocket-Protocol: other, playchat.v1", "Cookie: a=b", "Cookie: c=d"));

        Assert.Null(answer);
        Assert.Equal("playchat.v1", subprotocol);
        Assert.Equal(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: playchat.v1\r\n\r\n",
            response);
    }

    [Fact]
    public void A_request_that_is_accepted_allocates_nothing()
    {
        _options.AllowedHosts = "other.example, chat.example";
        byte[] request = Encoding.Latin1.GetBytes(
            Request("Origin: http://chat.example:7780", "Sec-WebSocket-Protocol: other, playchat.v1", "Cookie: a=b"));
        byte[] response = new byte[256];
        var upgrade = new WebSocketUpgrade(_options, [WebSocketUpgrade.Binary, WebSocketUpgrade.Json]);

        bool isAccepted = true;

        long allocated = AllocatedBytes.InSteadyState(() =>
        {
            Span<char> text = stackalloc char[request.Length];
            string? problem = HttpRequestHead.Parse(request, text, out HttpRequestHead head);
            HttpAnswer? answer = upgrade.Judge(head, out ReadOnlySpan<char> key, out string? subprotocol);
            isAccepted &= problem is null && answer is null && WebSocketUpgrade.WriteResponse(key, subprotocol, response) > 0;
        });

        Assert.True(isAccepted);
        Assert.Equal(0, allocated);
    }

    [Theory]
    [InlineData("http://chat.example:7780", "", true)] // the same host and port
    [InlineData("https://CHAT.example:7780", "", true)]
    [InlineData("http://chat.example", "", false)]
    [InlineData("http://evil.example", "", false)]
    [InlineData("http://chat.example:7780.evil.example", "", false)]
    [InlineData("null", "", false)]
    [InlineData("null", "null", true)]
    [InlineData("http://evil.example", "*", true)]
    [InlineData("https://friend.example", "https://other.example, https://friend.example", true)]
    [InlineData("http://friend.example", "https://friend.example", false)]
    public void An_origin_is_allowed_when_it_is_the_same_host_or_listed(string origin, string allowed, bool accepted)
    {
        _options.AllowedOrigins = allowed;

        (HttpAnswer? answer, _, _) = Judge(Request($"Origin: {origin}", "Sec-WebSocket-Protocol: playchat.v1"));

        Assert.Equal(accepted ? null : "403 Forbidden", answer?.Status);
    }

    [Theory]
    [InlineData("https://chat.example.org", "chat.example.org:443", true)]
    [InlineData("https://chat.example.org:443", "chat.example.org", true)]
    [InlineData("http://chat.example.org", "chat.example.org:80", true)]
    [InlineData("http://chat.example.org:80", "chat.example.org", true)]
    [InlineData("https://chat.example.org", "chat.example.org:", true)]
    [InlineData("https://chat.example.org", "CHAT.example.org.", true)]
    [InlineData("http://[::1]:7780", "[0:0:0:0:0:0:0:1]:7780", true)]
    [InlineData("http://chat.example.org", "chat.example.org:443", false)]
    [InlineData("https://chat.example.org", "chat.example.org:80", false)]
    [InlineData("https://chat.example.org:0443", "chat.example.org:443", true)]
    [InlineData("https://chat.example.org:65536", "chat.example.org", false)]
    [InlineData("https://chat.example.org@evil.example", "evil.example", false)]
    [InlineData("https://chat.example.org/", "chat.example.org", false)]
    [InlineData("://chat.example.org", "chat.example.org", false)]
    public void A_page_of_the_same_host_and_port_is_allowed_however_they_are_written(string origin, string host, bool accepted)
    {
        string request = Request($"Origin: {origin}", "Sec-WebSocket-Protocol: playchat.v1");
        var other = new WebSocketRequest
        {
            Host = host,
            Origin = origin,
            Version = "13",
            Key = Key,
            Subprotocols = [WebSocketUpgrade.Binary],
        };

        (HttpAnswer? answer, _, _) = Judge(request.Replace("chat.example:7780", host, StringComparison.Ordinal));
        HttpAnswer? otherAnswer = new WebSocketUpgrade(_options, [WebSocketUpgrade.Binary]).Judge(other, out _);

        Assert.Equal(accepted ? null : "403 Forbidden", answer?.Status);
        Assert.Equal(accepted ? null : "403 Forbidden", otherAnswer?.Status);
    }

    [Theory]
    [InlineData("https://friend.example:443", "https://friend.example", true)]
    [InlineData("https://friend.example", "https://friend.example:443", true)]
    [InlineData("https://bücher.example", "https://xn--bcher-kva.example", true)]
    [InlineData("capacitor://localhost", "capacitor://localhost", true)]
    [InlineData("https://friend.example:444", "https://friend.example", false)]
    [InlineData("https://friend.example:80", "http://friend.example", false)]
    public void A_list_of_origins_is_compared_as_places(string allowed, string origin, bool isListed)
    {
        _options.AllowedOrigins = allowed;

        Assert.Empty(_options.Validate("WebSocket"));
        Assert.Equal(isListed, _options.IsOriginListed(origin));
    }

    [Theory]
    [InlineData("b\u00fccher.example", "400 Bad Request")]
    [InlineData("a\u00ad.example", "400 Bad Request")] // the soft hyphen is left out of names
    [InlineData("\u00b2.example", "400 Bad Request")] // is mapped to 2
    [InlineData("[::1%\u00e9]", "400 Bad Request")]
    [InlineData("xn--bcher-kva.example", null)]
    public void A_host_of_a_request_is_ASCII_as_browsers_send_it(string host, string? status)
    {
        _options.AllowedHosts = "b\u00fccher.example, a.example, 2.example, ::1";

        (HttpAnswer? answer, _, _) = Judge(
            Request("Sec-WebSocket-Protocol: playchat.v1").Replace("chat.example:7780", host, StringComparison.Ordinal));

        Assert.Equal(status, answer?.Status);
    }

    [Theory]
    [InlineData("https://b\u00fccher.example", "403 Forbidden")]
    [InlineData("https://B\u00dcCHER.example", "403 Forbidden")]
    [InlineData("https://a\u00ad.example", "403 Forbidden")]
    [InlineData("http://chat.example\u00ad:7780", "403 Forbidden")]
    [InlineData("https://xn--bcher-kva.example", null)]
    public void An_origin_of_a_request_is_ASCII_as_browsers_send_it(string origin, string? status)
    {
        _options.AllowedOrigins = "https://b\u00fccher.example, https://a.example";

        (HttpAnswer? answer, _, _) = Judge(Request($"Origin: {origin}", "Sec-WebSocket-Protocol: playchat.v1"));

        Assert.Equal(status, answer?.Status);
    }

    [Theory]
    [InlineData("https://friend.example/")]
    [InlineData("https://friend.example:99999")]
    [InlineData("https://ann@friend.example")]
    [InlineData("friend.example")]
    public void A_list_of_origins_with_anything_else_is_invalid(string allowed)
    {
        _options.AllowedOrigins = allowed;

        Assert.Contains("AllowedOrigins", Assert.Single(_options.Validate("WebSocket")), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("GET http://chat.example:7780/ws HTTP/1.1")]
    [InlineData("GET HTTPS://chat.example:7780/ws?room=1 HTTP/1.1")]
    [InlineData("GET /ws HTTP/1.2")]
    [InlineData("\r\nGET /ws HTTP/1.1")]
    public void A_request_line_may_have_its_rarer_forms(string line)
    {
        string request = Request("Origin: http://chat.example:7780", "Sec-WebSocket-Protocol: playchat.v1");

        (HttpAnswer? answer, _, _) = Judge(request.Replace("GET /ws HTTP/1.1", line, StringComparison.Ordinal));

        Assert.Null(answer);
    }

    [Fact]
    public void The_host_of_a_whole_address_counts_in_place_of_the_header()
    {
        _options.AllowedHosts = "chat.example";
        _options.Content = new WebContent().Add("/", "text/html", "<p>hello"u8.ToArray());

        (HttpAnswer? own, _, _) = Judge("GET http://chat.example HTTP/1.1\r\nHost: evil.example\r\n\r\n");
        (HttpAnswer? foreign, _, _) = Judge("GET http://evil.example?a HTTP/1.1\r\nHost: chat.example\r\n\r\n");
        (HttpAnswer? nameless, _, _) = Judge("GET http://chat.example/ HTTP/1.1\r\nX: y\r\n\r\n");
        (HttpAnswer? user, _, _) = Judge("GET http://ann@chat.example/ HTTP/1.1\r\nHost: chat.example\r\n\r\n");
        (HttpAnswer? asterisk, _, _) = Judge("OPTIONS * HTTP/1.1\r\nHost: chat.example\r\n\r\n");

        Assert.Equal("200 OK", own!.Status);
        Assert.Equal("403 Forbidden", foreign!.Status);
        Assert.Equal("400 Bad Request", nameless!.Status);
        Assert.Equal("400 Bad Request", user!.Status);
        Assert.Equal("404 Not Found", asterisk!.Status);
    }

    [Theory]
    [InlineData("chat.example:7780", "", false, true)]
    [InlineData("chat.example.:7780", "chat.example", false, true)]
    [InlineData("chat.example", "chat.example.", false, true)]
    [InlineData("xn--bcher-kva.example", "bücher.example", false, true)]
    [InlineData("localhost.", "", true, true)]
    [InlineData("[2001:DB8:0::1]", "2001:db8::1", false, true)]
    [InlineData("chat.example:7780", "", true, false)]
    [InlineData("chat.example:7780", "chat.example", true, true)]
    [InlineData("CHAT.example", "other.example, chat.example", false, true)]
    [InlineData("evil.example", "chat.example", false, false)]
    [InlineData("evil.example", "*", true, true)]
    [InlineData("localhost:7780", "", true, true)]
    [InlineData("LOCALHOST", "chat.example", true, true)]
    [InlineData("localhost", "chat.example", false, false)]
    [InlineData("127.0.0.1:7780", "", true, true)]
    [InlineData("[::1]:7780", "", true, true)]
    [InlineData("[::1]", "", true, true)]
    [InlineData("[2001:db8::1]:7780", "2001:db8::1", false, true)]
    [InlineData("192.168.0.1:7780", "", true, false)]
    [InlineData("localhost.evil.example:7780", "", true, false)]
    public void A_host_is_allowed_when_it_is_listed_or_the_endpoint_and_the_name_are_those_of_this_machine(
        string host, string allowed, bool isLoopback, bool accepted)
    {
        _options.AllowedHosts = allowed;

        (HttpAnswer? answer, _, _) = Judge(
            Request("Sec-WebSocket-Protocol: playchat.v1").Replace("chat.example:7780", host, StringComparison.Ordinal),
            isLoopback: isLoopback);

        Assert.Equal(accepted ? null : "403 Forbidden", answer?.Status);
    }

    [Theory]
    [InlineData("chat.example:7780")]
    [InlineData("http://chat.example")]
    [InlineData("a b")]
    [InlineData("10")]
    [InlineData("203.0.113.010")]
    public void A_list_of_hosts_with_anything_but_names_is_invalid(string hosts)
    {
        _options.AllowedHosts = hosts;

        Assert.Contains("AllowedHosts", Assert.Single(_options.Validate("WebSocket")), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("GET /ws HTTP/1.1", "Upgrade: websocket", null, "426 Upgrade Required", "connect with ws://")]
    [InlineData("GET /ws HTTP/1.1", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 8", "426 Upgrade Required", "version 13")]
    [InlineData("GET /ws HTTP/1.1", $"Sec-WebSocket-Key: {Key}", "Sec-WebSocket-Key: short", "400 Bad Request", "Sec-WebSocket-Key")]
    [InlineData("GET /ws HTTP/1.1", $"Sec-WebSocket-Key: {Key}", null, "400 Bad Request", "Sec-WebSocket-Key")]
    [InlineData("GET /ws HTTP/1.1", "Host: chat.example:7780", null, "400 Bad Request", "Host")]
    [InlineData("GET /ws HTTP/1.1", "Host: chat.example:7780", "Host: a\r\nHost: b", "400 Bad Request", "twice")]
    [InlineData("GET /ws HTTP/1.1", "Host: chat.example:7780", "Host: chat example", "400 Bad Request", "Host")]
    [InlineData("GET /ws HTTP/1.1", "Host: chat.example:7780", "Host: chat.example:port", "400 Bad Request", "Host")]
    [InlineData("GET /ws HTTP/1.1", "X-Last: yes", "Content-Length: 5", "400 Bad Request", "no body")]
    [InlineData("GET /ws HTTP/1.1", "X-Last: yes", "Transfer-Encoding: chunked", "400 Bad Request", "no body")]
    [InlineData("GET /ws HTTP/1.1", "X-Last: yes", " folded", "400 Bad Request", "invalid")]
    [InlineData("GET /ws HTTP/1.1", "X-Last: yes", "X Last: yes", "400 Bad Request", "invalid")]
    [InlineData("GET /ws HTTP/1.1", "X-Last: yes", "X-Last: a\0b", "400 Bad Request", "invalid")]
    [InlineData("GET /ws HTTP/1.1", "X-Last: yes", "X-Last: a\nb", "400 Bad Request", "invalid")]
    [InlineData("POST /ws HTTP/1.1", "X-Last: yes", null, "405 Method Not Allowed", "GET")]
    [InlineData("GET /other HTTP/1.1", "X-Last: yes", null, "404 Not Found", "/ws")]
    [InlineData("GET ws HTTP/1.1", "X-Last: yes", null, "400 Bad Request", "HTTP/1.1")]
    [InlineData("GET  /ws HTTP/1.1", "X-Last: yes", null, "400 Bad Request", "HTTP/1.1")]
    [InlineData("GET /ws HTTP/1.0", "X-Last: yes", null, "400 Bad Request", "HTTP/1.1")]
    [InlineData("G(T /ws HTTP/1.1", "X-Last: yes", null, "400 Bad Request", "HTTP/1.1")]
    public void A_bad_request_gets_an_answer_that_says_what_is_wrong(
        string line, string field, string? replacement, string status, string hint)
    {
        string request = Request("Sec-WebSocket-Protocol: playchat.v1")
            .Replace("GET /ws HTTP/1.1", line, StringComparison.Ordinal)
            .Replace(field + "\r\n", replacement is null ? "" : replacement + "\r\n", StringComparison.Ordinal);
        (HttpAnswer? answer, _, _) = Judge(request);

        Assert.Equal(status, answer?.Status);
        Assert.Contains(hint, Encoding.UTF8.GetString(answer!.Body.Span), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("Sec-WebSocket-Protocol: chat, PLAYCHAT.V1")]
    public void A_request_without_a_subprotocol_of_the_server_is_told_which_ones_there_are(string? offer)
    {
        (HttpAnswer? answer, _, _) = Judge(offer is null ? Request() : Request(offer));

        Assert.Equal("400 Bad Request", answer?.Status);
        Assert.Contains("playchat.v1", answer?.Problem, StringComparison.Ordinal);
    }

    [Fact]
    public void A_server_without_subprotocols_takes_a_request_without_one()
    {
        (HttpAnswer? answer, string response, string? subprotocol) = Judge(Request(), []);

        Assert.Null(answer);
        Assert.Null(subprotocol);
        Assert.DoesNotContain("Protocol:", response, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_is_served_and_only_sent_again_when_it_has_changed()
    {
        _options.Content = new WebContent().Add(
            "/",
            "text/html",
            "<p>hello"u8.ToArray(),
            new Dictionary<string, string>(StringComparer.Ordinal) { ["Cache-Control"] = "no-cache" });

        (HttpAnswer? first, _, _) = Judge("GET /?from=mail HTTP/1.1\r\nHost: a\r\n\r\n");
        string head = Encoding.ASCII.GetString(first!.EncodeHead());
        string etag = head.Split("\r\n").Single(static line => line.StartsWith("ETag: ", StringComparison.Ordinal))["ETag: ".Length..];
        (HttpAnswer? second, _, _) = Judge($"GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: W/\"x\", {etag}\r\n\r\n");
        (HttpAnswer? headOnly, _, _) = Judge("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
        (HttpAnswer? posted, _, _) = Judge("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");

        Assert.StartsWith("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 8\r\n", head, StringComparison.Ordinal);
        Assert.Contains("Cache-Control: no-cache\r\n", head, StringComparison.Ordinal);
        Assert.Equal(("200 OK", false), (first.Status, first.IsHeadOnly));
        Assert.Equal(("304 Not Modified", true), (second!.Status, second.IsHeadOnly));
        Assert.Equal(("200 OK", true), (headOnly!.Status, headOnly.IsHeadOnly));
        Assert.Equal("405 Method Not Allowed", posted!.Status);
        Assert.All([first, second, headOnly], static answer => Assert.Null(answer.Problem));
    }

    private (HttpAnswer? Answer, string Response, string? Subprotocol) Judge(
        string request, string[]? subprotocols = null, bool isLoopback = false)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(request);
        Assert.Equal(bytes.Length, HttpRequestHead.FindEnd(bytes));
        if (HttpRequestHead.Parse(bytes, new char[bytes.Length], out HttpRequestHead head) is { } problem)
        {
            return (HttpAnswer.Refuse("400 Bad Request", problem), "", null);
        }

        HttpAnswer? answer = new WebSocketUpgrade(_options, subprotocols ?? [WebSocketUpgrade.Binary, WebSocketUpgrade.Json], isLoopback)
            .Judge(head, out ReadOnlySpan<char> key, out string? subprotocol);
        if (answer is not null)
        {
            return (answer, "", null);
        }

        byte[] response = new byte[256];
        return (null, Encoding.ASCII.GetString(response, 0, WebSocketUpgrade.WriteResponse(key, subprotocol, response)), subprotocol);
    }

    private static string Request(params string[] fields) => string.Join(
        "\r\n",
        [
            "GET /ws HTTP/1.1", "Host: chat.example:7780", "Connection: keep-alive, Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", $"Sec-WebSocket-Key: {Key}", .. fields, "X-Last: yes", "", "",
        ]);
}
