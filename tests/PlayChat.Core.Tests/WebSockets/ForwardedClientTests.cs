using System.Net;
using System.Text;
using PlayChat.Core.Transport;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Tests.WebSockets;

public sealed class ForwardedClientTests
{
    private static readonly IPEndPoint s_proxy = new(IPAddress.Parse("10.0.0.1"), 5000);

    [Theory]
    [InlineData("X-Forwarded-For: 192.0.2.1", "192.0.2.1:0")]
    [InlineData("x-forwarded-for:192.0.2.1:40000", "192.0.2.1:40000")]
    [InlineData("X-Forwarded-For: 2001:db8::1", "[2001:db8::1]:0")]
    [InlineData("X-Forwarded-For: [2001:db8::1]", "[2001:db8::1]:0")]
    [InlineData("X-Forwarded-For: [2001:db8::1]:40000", "[2001:db8::1]:40000")]
    [InlineData("X-Forwarded-For: ::ffff:192.0.2.1", "192.0.2.1:0")]
    [InlineData("Forwarded: for=192.0.2.1", "192.0.2.1:0")]
    [InlineData("Forwarded: proto=https;For=\"192.0.2.1:40000\";by=10.0.0.1", "192.0.2.1:40000")]
    [InlineData("Forwarded: for=\"[2001:db8::1]:40000\" ; host=\"a,b;for=c\"", "[2001:db8::1]:40000")]
    public void One_proxy_names_the_client(string field, string expected) => Assert.Equal(expected, Find(field));

    [Theory]
    [InlineData("X-Forwarded-For: 192.0.2.1, 10.0.0.2", "192.0.2.1:0")]
    [InlineData("X-Forwarded-For: 6.6.6.6, 192.0.2.1, 10.0.0.3, 10.0.0.2", "192.0.2.1:0")]
    [InlineData("X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 10.0.0.2", "192.0.2.1:0")]
    [InlineData("X-Forwarded-For: 10.0.0.9, 10.0.0.2", "10.0.0.9:0")]
    [InlineData("Forwarded: for=6.6.6.6, for=192.0.2.1, for=10.0.0.2", "192.0.2.1:0")]
    [InlineData("Forwarded: for=6.6.6.6\r\nForwarded: for=192.0.2.1", "192.0.2.1:0")]
    public void Of_several_hops_the_last_one_that_is_no_trusted_proxy_is_the_client(string field, string expected) =>
        Assert.Equal(expected, Find(field));

    [Theory]
    [InlineData("X-Forwarded-For: , <garbage>, 192.0.2.1", "192.0.2.1:0")] // before the client: its own invention
    [InlineData("X-Forwarded-For: garbage, 10.0.0.2", "10.0.0.2:0")]
    [InlineData("X-Forwarded-For: unknown", "10.0.0.1:5000")]
    [InlineData("X-Forwarded-For: 010.0.0.9", "10.0.0.1:5000")]
    [InlineData("X-Forwarded-For: 192.0.2.1:99999", "10.0.0.1:5000")]
    [InlineData("X-Forwarded-For: fe80::1%eth0", "10.0.0.1:5000")]
    [InlineData("X-Forwarded-For: [192.0.2.1", "10.0.0.1:5000")]
    [InlineData("X-Forwarded-For: ]:1", "10.0.0.1:5000")]
    [InlineData("X-Forwarded-For:", "10.0.0.1:5000")]
    [InlineData("Forwarded: for=_hidden, for=10.0.0.2", "10.0.0.2:0")]
    [InlineData("Forwarded: proto=https", "10.0.0.1:5000")]
    [InlineData("Accept: */*", "10.0.0.1:5000")]
    public void What_is_no_address_ends_the_search(string field, string expected) => Assert.Equal(expected, Find(field));

    [Theory]
    [InlineData("X-Forwarded-For: 192.0.2.1\r\nForwarded: for=6.6.6.6")]
    [InlineData("Forwarded:")]
    [InlineData("Forwarded: nonsense, for=192.0.2.1")] // what a client sends and its proxy continues
    [InlineData("Forwarded: for=\"6.6.6.6, for=192.0.2.1")]
    [InlineData("Forwarded: for=6.6.6.6;x=\", for=\"192.0.2.1:1\"")]
    [InlineData("Forwarded: for=6.6.6.6;, for=192.0.2.1")]
    [InlineData("Forwarded: for=\"192.0.2.1\\\"")]
    [InlineData("Forwarded: =, for=192.0.2.1")]
    public void Fields_that_a_client_may_have_invented_a_part_of_are_refused(string fields) => Assert.Null(Find(fields));

    [Fact]
    public void No_input_throws()
    {
        var random = new Random(7);
        const string Alphabet = "for=;,\"[]:. 0129afx%\\_";
        for (int i = 0; i < 20_000; i++)
        {
            string value = new([.. Enumerable.Range(0, random.Next(24)).Select(_ => Alphabet[random.Next(Alphabet.Length)])]);
            Find((i % 2 == 0 ? "Forwarded: " : "X-Forwarded-For: ") + value);
        }
    }

    /// <returns>The client; <see langword="null"/> where the fields do not tell it for certain.</returns>
    private static string? Find(string fields)
    {
        byte[] bytes = Encoding.Latin1.GetBytes($"GET / HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n\r\n");
        Assert.Null(HttpRequestHead.Parse(bytes, new char[bytes.Length], out HttpRequestHead request));
        Assert.True(TrustedNetworks.TryParse("10.0.0.0/8", out IReadOnlyList<IPNetwork> proxies, out _));
        return ForwardedClient.TryFind(request, proxies, s_proxy, out EndPoint? client) ? client!.ToString() : null;
    }
}
