using System.Net;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Configuration;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities.Hostile;

namespace PlayChat.Server.Tests.Accounts;

public sealed class PasswordlessRuleTests
{
    [Theory]
    [InlineData("auto", false, true, "127.0.0.1:7777")]
    [InlineData("auto", false, true, "127.0.0.1:7777", "[::1]:7777")]
    [InlineData("auto", true, false, "127.0.0.1:7777")]
    [InlineData("auto", false, false, "127.0.0.1:7777", "0.0.0.0:7778")]
    [InlineData("auto", false, false, "[::]:7777")]
    [InlineData("auto", false, false, "192.0.2.1:7777", "127.0.0.1:7777")]
    [InlineData("true", true, true, "0.0.0.0:7777")]
    [InlineData("false", false, false, "127.0.0.1:7777")]
    public void Auto_needs_loopback_endpoints_alone_and_no_proxy(string policy, bool hasProxy, bool allowed, params string[] endPoints) =>
        Assert.Equal(
            allowed,
            PasswordlessRule.Allows(
                Enum.Parse<AutoSwitch>(policy, ignoreCase: true), endPoints.Select(IPEndPoint.Parse), hasProxy));

    [Fact]
    public async Task A_visitor_that_comes_by_a_proxy_on_this_machine_needs_a_password()
    {
        await using TestServer server = await TestServer.StartOnSocketsAsync(
            "--PlayChat:Endpoints:0:ProxyProtocol:TrustedSources=127.0.0.1");
        using RawPeer proxy = await RawPeer.ConnectAsync(server.EndPoint.Port);

        await proxy.SendAsync("PROXY TCP4 127.0.0.1 127.0.0.1 40000 7777\r\n"u8.ToArray());
        await proxy.SendAsync(HostileFrames.Login("kim"));
        RawPacket? answer = await proxy.ReceivePacketAsync();

        Assert.Equal((ushort)PacketId.SErrorNtf, answer?.Id);
        Assert.Equal(ErrorCode.PasswordRequired, SErrorNtf.Parser.ParseFrom(answer!.Value.Payload).Code);
    }

    [Fact]
    public async Task A_loopback_endpoint_beside_an_open_one_needs_a_password()
    {
        await using TestServer server = await TestServer.StartOnSocketsAsync("--PlayChat:Endpoints:1:Address=0.0.0.0:0");
        await using TestClient client = await server.ConnectAsync();

        Assert.Equal(ErrorCode.PasswordRequired, (await client.FailLoginAsync("kim")).Code);
    }
}
