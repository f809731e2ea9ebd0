using System.Net;
using PlayChat.Addresses;
using PlayChat.Core.Connections;
using PlayChat.Core.Hosting;

namespace PlayChat.Core.Tests.Hosting;

public sealed class OptionsTests
{
    public static TheoryData<string, Action<PlayChatOptions>, string> Wrong { get; } = new()
    {
        { "no endpoint", static o =>
            o.Endpoints.Clear(), "PlayChat:Endpoints is empty; give at least one, such as PlayChat:Endpoints:0:Address=127.0.0.1:7777." },
        { "address", static o => o.Endpoints[0].Address = "here", "PlayChat:Endpoints:0:Address is 'here'; allowed is ADDRESS:PORT" },
        { "certificate", static o => o.Endpoints[0].Tls.CertificatePath = "/no/such.pfx",
            "PlayChat:Endpoints:0:Tls:CertificatePath is '/no/such.pfx'; there is no such file." },
        { "key", static o =>
            o.Endpoints[0].Tls.KeyPath = "/no/such.key", "PlayChat:Endpoints:0:Tls:KeyPath is '/no/such.key'; there is no such file." },
        { "handshake", static o => o.Endpoints[0].Tls.HandshakeTimeout = TimeSpan.Zero,
            "PlayChat:Endpoints:0:Tls:HandshakeTimeout is 00:00:00; allowed is 00:00:00.1 to 00:05:00." },
        { "handshakes", static o =>
            o.Endpoints[0].Tls.MaxHandshakes = 0, "PlayChat:Endpoints:0:Tls:MaxHandshakes is 0; allowed is 1 to 1000000." },
        { "backlog", static o => o.Transport.Backlog = 0, "PlayChat:Transport:Backlog is 0; allowed is 1 to 65535." },
        { "send buffer", static o => o.Transport.SendBufferBytes = 4095,
            "PlayChat:Transport:SendBufferBytes is 4095; allowed is 0 (the system's own) or 4096 to 16777216." },
        { "receive buffer", static o => o.Transport.ReceiveBufferBytes = -1,
            "PlayChat:Transport:ReceiveBufferBytes is -1; allowed is 0 (the system's own) or 4096 to 16777216." },
        { "outbound", static o =>
            o.Connections.MaxOutboundBytes = 4095, "PlayChat:Connections:MaxOutboundBytes is 4095; allowed is 4096 to 1073741824." },
        { "policy", static o => o.Connections.SlowConsumer = (SlowConsumerPolicy)9,
            "PlayChat:Connections:SlowConsumer is 9; allowed is Disconnect, DropNewest, Wait." },
        { "close", static o => o.Connections.CloseTimeout = TimeSpan.FromMinutes(11),
            "PlayChat:Connections:CloseTimeout is 00:11:00; allowed is 00:00:00.1 to 00:10:00." },
        { "connections", static o =>
            o.Connections.MaxConnections = 0, "PlayChat:Connections:MaxConnections is 0; allowed is 1 to 10000000." },
        { "per address", static o =>
            o.Connections.MaxConnectionsPerAddress = -1,
            "PlayChat:Connections:MaxConnectionsPerAddress is -1; allowed is 0 (a quarter of MaxConnections, at most 1,000) "
            + "or 1 to 10000000." },
        { "accepts", static o => o.Connections.AcceptsPerSecondPerAddress = -1,
            "PlayChat:Connections:AcceptsPerSecondPerAddress is -1; allowed is 0 (no limit) or 1 to 1000000." },
        { "silent", static o => o.Connections.SilentAfter = TimeSpan.FromHours(2),
            "PlayChat:Connections:SilentAfter is 02:00:00; allowed is 00:00:00 to 01:00:00." },
        { "requests", static o => o.Connections.MaxRequests = 65_536, "PlayChat:Connections:MaxRequests is 65536; allowed is 1 to 65535." },
        { "login", static o => o.Sessions.LoginTimeout = TimeSpan.Zero,
            "PlayChat:Sessions:LoginTimeout is 00:00:00; allowed is 00:00:01 to 01:00:00, or -00:00:00.001 for none." },
        { "idle", static o => o.Sessions.IdleTimeout = TimeSpan.FromDays(2),
            "PlayChat:Sessions:IdleTimeout is 2.00:00:00; allowed is 00:00:01 to 1.00:00:00, or -00:00:00.001 for none." },
        { "heartbeat", static o => o.Sessions.HeartbeatInterval = TimeSpan.Zero,
            "PlayChat:Sessions:HeartbeatInterval is 00:00:00; allowed is 00:00:01 to 1.00:00:00, or -00:00:00.001 for none." },
        { "sweep", static o =>
            o.Sessions.SweepInterval = TimeSpan.Zero, "PlayChat:Sessions:SweepInterval is 00:00:00; allowed is 00:00:00.01 to 00:01:00." },
        { "queue", static o => o.Rooms.QueueItems = 15, "PlayChat:Rooms:QueueItems is 15; allowed is 16 to 1048576." },
        { "queue bytes", static o => o.Rooms.QueueBytes = 4095, "PlayChat:Rooms:QueueBytes is 4095; allowed is 4096 to 1073741824." },
        { "turn", static o => o.Rooms.MaxItemsPerTurn = 0, "PlayChat:Rooms:MaxItemsPerTurn is 0; allowed is 1 to 65536." },
        { "flush", static o =>
            o.Rooms.FlushInterval = TimeSpan.FromSeconds(2), "PlayChat:Rooms:FlushInterval is 00:00:02; allowed is 00:00:00 to 00:00:01." },
        { "members", static o => o.Rooms.MaxMembers = 0, "PlayChat:Rooms:MaxMembers is 0; allowed is 1 to 1000000." },
        { "stop", static o =>
            o.StopTimeout = TimeSpan.FromSeconds(-1), "PlayChat:StopTimeout is -00:00:01; allowed is 00:00:00 to 00:10:00." },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public void A_wrong_value_is_named_with_its_key_and_what_is_allowed(string name, Action<PlayChatOptions> spoil, string message)
    {
        PlayChatOptions options = Valid();
        spoil(options);

        OptionsException e = Assert.Throws<OptionsException>(() => options.Validate());

        Assert.True(name.Length > 0);
        Assert.StartsWith(message, Assert.Single(e.Problems), StringComparison.Ordinal);
    }

    [Fact]
    public void The_defaults_are_valid() => Valid().Validate();

    [Fact]
    public void All_that_is_wrong_is_named_at_once()
    {
        PlayChatOptions options = Valid();
        options.Transport.Backlog = 0;
        options.Rooms.MaxMembers = 0;

        OptionsException e = Assert.Throws<OptionsException>(() => options.Validate());

        Assert.Equal(2, e.Problems.Count);
        Assert.Contains("Backlog", e.Message, StringComparison.Ordinal);
        Assert.Contains("MaxMembers", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("127.0.0.1:7777", "127.0.0.1:7777")]
    [InlineData("0.0.0.0:0", "0.0.0.0:0")]
    [InlineData("localhost:80", "127.0.0.1:80")]
    [InlineData("LocalHost:80", "127.0.0.1:80")]
    [InlineData("[::1]:65535", "[::1]:65535")]
    [InlineData("*:7777", "[::]:7777")]
    [InlineData("[::ffff:192.0.2.1]:80", "[::ffff:192.0.2.1]:80")]
    public void An_address_is_read(string address, string endPoint)
    {
        Assert.True(ListenAddress.TryParse(address, out IPEndPoint? parsed));
        Assert.Equal(endPoint, parsed.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("7777")]
    [InlineData(":7777")]
    [InlineData("127.0.0.1")]
    [InlineData("127.0.0.1:")]
    [InlineData("127.0.0.1:65536")]
    [InlineData("127.0.0.1:-1")]
    [InlineData("127.0.0.1: 80")]
    [InlineData("::1:7777")]
    [InlineData("[::1:7777")]
    [InlineData("example.com:80")]
    [InlineData("127.1:7777")]
    [InlineData("127:7777")]
    [InlineData("127.0.0.010:7777")]
    [InlineData("0x7f.0.0.1:7777")]
    [InlineData("2130706433:7777")]
    [InlineData("[127.0.0.1]:7777")]
    [InlineData("[[::1]]:7777")]
    [InlineData("[::ffff:192.0.2.010]:80")]
    public void What_is_no_address_is_refused(string address) => Assert.False(ListenAddress.TryParse(address, out _));

    [Theory]
    [InlineData("127.0.0.1:7777", "127.0.0.1:7777", true)]
    [InlineData("localhost:7777", "127.0.0.1:7777", true)]
    [InlineData("127.0.0.1:7777", "127.0.0.1:7778", false)]
    [InlineData("127.0.0.1:7777", "127.0.0.2:7777", false)]
    [InlineData("127.0.0.1:0", "127.0.0.1:0", false)]
    public void Two_endpoints_with_one_address_are_refused(string first, string second, bool expected)
    {
        var options = new PlayChatOptions();
        options.ListenTcp(first);
        options.ListenTcp(second);

        OptionsException? e = Record.Exception(() => options.Validate()) as OptionsException;

        Assert.Equal(expected, e is not null);
        Assert.Equal(
            expected ? [$"PlayChat:Endpoints:1:Address is '{second}', which PlayChat:Endpoints:0 ('{first}') has already; give each "
                + "endpoint its own."] : [],
            e?.Problems ?? []);
    }

    [Fact]
    public void TLS_that_lacks_its_certificate_is_refused()
    {
        string key = Path.GetTempFileName();
        var options = new PlayChatOptions();
        options.ListenTcp("127.0.0.1:7777").Tls.KeyPath = key;
        options.ListenTcp("127.0.0.1:7778").Tls.ClientCertificates = ClientCertificateMode.Require;
        options.Endpoints[1].Tls.ClientAuthoritiesPath = key;

        OptionsException e = Assert.Throws<OptionsException>(() => options.Validate());
        File.Delete(key);

        Assert.Equal(2, e.Problems.Count);
        Assert.StartsWith($"PlayChat:Endpoints:0:Tls:KeyPath is '{key}', but ", e.Problems[0], StringComparison.Ordinal);
        Assert.StartsWith("PlayChat:Endpoints:1:Tls:ClientCertificates is Require, but ", e.Problems[1], StringComparison.Ordinal);
    }

    private static PlayChatOptions Valid()
    {
        var options = new PlayChatOptions();
        options.ListenTcp("127.0.0.1:7777");
        return options;
    }
}
