using System.Collections.Concurrent;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Sessions;

/// <summary>A server with two clients, one of which has logged in.</summary>
internal sealed class BroadcastNode : IAsyncDisposable
{
    private readonly InMemoryTransport _transport = new();
    private readonly PlayChatServer _server;
    private readonly PlayChatConnector _connector;
    private readonly ConcurrentQueue<string> _heard = [];
    private readonly ConcurrentQueue<string> _heardByStranger = [];

    private BroadcastNode()
    {
        var packets = new PacketSet().Add(new TextPacket<Notice>(1, static text => new Notice(text), static notice => notice.Text));
        _server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"))
            .UseTransport(_transport)
            .UsePackets(packets)
            .OnPackets(router => router.MapPacket<Notice>((context, login) =>
            {
                _server!.Sessions.Bind(context.Session, new SessionUser(context.Session.Id, login.Text));
                context.Reply(new Notice("welcome"));
            }));
        _connector = new PlayChatConnector(
            FrameFormat.Packet(),
            packets,
            static router => router.MapPacket<Notice>(static (context, notice) =>
                context.Connection.Get<ConcurrentQueue<string>>()!.Enqueue(notice.Text)),
            transport: _transport);
    }

    public SessionRegistry Sessions => _server.Sessions;

    /// <summary>What the client that has logged in has heard.</summary>
    public string[] Heard => [.. _heard];

    /// <summary>What the other client has heard.</summary>
    public string[] HeardByStranger => [.. _heardByStranger];

    public static async Task<BroadcastNode> StartAsync()
    {
        var node = new BroadcastNode();
        await node._server.StartAsync();
        await node.ConnectAsync(node._heardByStranger);
        Connection player = await node.ConnectAsync(node._heard);
        player.SendPacket(new Notice("Ann"));
        await node.WaitForAsync(1);
        node._heard.Clear();
        return node;
    }

    public Task WaitForAsync(int notices) => Eventually.TrueAsync(() => _heard.Count >= notices);

    public async ValueTask DisposeAsync()
    {
        await _connector.DisposeAsync();
        await _server.DisposeAsync();
    }

    private Task<Connection> ConnectAsync(ConcurrentQueue<string> heard) =>
        _connector.ConnectAsync(_server.EndPoints[0], connection => connection.Set(heard));
}
