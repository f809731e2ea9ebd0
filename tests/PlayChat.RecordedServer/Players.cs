using Microsoft.Extensions.Hosting;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Protocol;

namespace PlayChat.RecordedServer;

/// <summary>Two players: Ann stays at the table, and Bob comes and goes.</summary>
internal sealed class Players(PlayChatServer server, IHostApplicationLifetime lifetime) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var started = new TaskCompletionSource();
        lifetime.ApplicationStarted.Register(started.SetResult);
        await started.Task.WaitAsync(stoppingToken);
        await using var connector = new PlayChatConnector(
            FrameFormat.Packet(ChatLimits.MaxServerFrameBytes),
            Table.Packets,
            static router => router.MapPacket<Rolled>(static (_, _) => { }));
        Connection ann = await SitAsync(connector, "Ann");
        while (!stoppingToken.IsCancellationRequested)
        {
            Connection bob = await SitAsync(connector, "Bob");
            for (int i = 0; i < 5; i++)
            {
                ann.SendPacket(new Roll(6, "4111-1111"));
                bob.SendPacket(new Roll(20, "5500-0000"));
                await server.Rooms.Get<Table>(Table.Title).PostAsync(Table.Tipped, new Tip(i), stoppingToken);
                await Task.Delay(TimeSpan.FromMilliseconds(200), stoppingToken);
            }

            bob.Close();
            await bob.Closed;
        }
    }

    private async Task<Connection> SitAsync(PlayChatConnector connector, string name)
    {
        Connection connection = await connector.ConnectAsync(server.EndPoints[0]);
        await connection.RequestAsync<SLoginRes>(new CLoginReq { Name = name }, Timeout.InfiniteTimeSpan);
        await connection.RequestAsync<Seated>(new Sit(name), Timeout.InfiniteTimeSpan);
        return connection;
    }
}
