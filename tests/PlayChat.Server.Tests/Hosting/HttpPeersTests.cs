using System.Text;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Diagnostics;
using PlayChat.Chat.Hosting;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Hostile;

namespace PlayChat.Server.Tests.Hosting;

public sealed class HttpPeersTests
{
    private readonly RecordingLogger _log = new();

    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost: chat\r\n\r\n", true)]
    [InlineData("POST /login HTTP/1.1\r\n\r\n", true)]
    [InlineData("HEAD / HTTP/1.0\r\n\r\n", true)]
    [InlineData("OPTIONS * HTTP/1.1\r\n\r\n", true)]
    [InlineData("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", true)]
    [InlineData("GETS are no HTTP", false)]
    [InlineData("SSH-2.0-OpenSSH_9.6\r\n", false)]
    public async Task A_peer_that_speaks_HTTP_is_told_in_the_log_and_closed_as_before(string request, bool isHttp)
    {
        await using TestServer server = await StartAsync();
        using RawPeer peer = await RawPeer.ConnectAsync(server.EndPoint.Port);

        await peer.SendAsync(Encoding.ASCII.GetBytes(request));
        RawPacket? last = await peer.ReceiveLastPacketAsync();

        Assert.Equal((ushort)PacketId.SCloseNtf, last?.Id);
        Assert.Equal(isHttp ? 1 : 0, _log.Count(nameof(ServerLog.SpokeHttp)));
        Assert.All(
            _log.Entries,
            static entry => Assert.Matches(
                "^Connection [0-9]+ from 127.0.0.1:[0-9]+ spoke HTTP; this port speaks the PlayChat protocol.$", entry.Text));
    }

    [Fact]
    public async Task HTTP_behind_packets_is_found_as_well()
    {
        await using TestServer server = await StartAsync();
        using RawPeer peer = await RawPeer.ConnectAsync(server.EndPoint.Port);

        await peer.SendAsync(HostileFrames.Login("kim"));
        await peer.ReceivePacketAsync();
        await peer.SendAsync((byte[])[.. RawPeer.Packet((ushort)PacketId.CHeartbeatNtf, 0, []), .. "GET / HTTP/1.1\r\n\r\n"u8]);
        await peer.ReceiveLastPacketAsync();

        Assert.Equal(1, _log.Count(nameof(ServerLog.SpokeHttp)));
    }

    private Task<TestServer> StartAsync() => TestServer.StartOnSocketsWithAsync(
        services => services.AddSingleton<ILogger<HttpPeers>>(new Logger<HttpPeers>(_log)));
}
