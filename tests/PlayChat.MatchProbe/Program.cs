using System.Globalization;
using PlayChat.Cluster.OwnedRooms;
using PlayChat.Cluster.Postgres;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Matchmaking;
using PlayChat.MatchProbe;

// A node of a cluster that shares a queue, until it is killed. Arguments: the number of the node; a connection string of PostgreSQL; the
// number of other rooms that the node runs.
// Prints "port N" when it serves, and "owner" when it runs the queue.
int node = int.Parse(args[0], CultureInfo.InvariantCulture);
await using var directory = new PostgresDirectory(
    new PostgresDirectoryOptions { ConnectionString = args[1], LeaseDuration = TimeSpan.FromSeconds(2) });
await using var server = new PlayChatServer(static options =>
    {
        options.ListenTcp("127.0.0.1:0");
        options.Rooms.MaxMembers = 20_000;
    })
    .UseLogging(new ErrorLines())
    .UsePackets(MatchPackets.All)
    .UseRoomCluster(new RoomClusterOptions
    {
        NodeId = node,
        Endpoint = $"node {node}",
        Directory = directory,
        SweepInterval = TimeSpan.FromMilliseconds(500),
        CreateBackplane = origin => new PostgresBackplane(new PostgresBackplaneOptions { ConnectionString = args[1] }, origin),
    })
    .AddRoom(new RoomSettings { Name = "duels", IsClustered = true }, context => new DuelQueue(context, node))
    .OnPackets(static router =>
    {
        router.MapPacket<FindDuel>(static async (context, ticket, stop) =>
        {
            JoinResult<MatchPlayer<FindDuel>> result =
                await context.Rooms.Get<DuelQueue>("duels").JoinAsync(context.Session, ticket, cancellationToken: stop);
            if (!result.IsJoined)
            {
                context.Reply(new Unmatched(ticket.Name, result.Reason));
            }
        });
        router.MapPacket<AskMatches>(static (context, _) =>
            context.Reply(new MatchesMade(context.Rooms.Get<DuelQueue>("duels").Figures.Matches)));
        router.MapPacket<LeaveDuel>(static async (context, _, stop) =>
        {
            if (context.Session.FindRoom<Duel>() is { } duel)
            {
                await duel.LeaveAsync(context.Session, stop);
            }

            context.Reply(new DuelLeft());
        });
    });
await server.StartAsync();
for (int room = int.Parse(args[2], CultureInfo.InvariantCulture); room > 0; room--)
{
    server.Rooms.Create("busy", context => new Duel(context, node, []));
}

Console.WriteLine($"port {((System.Net.IPEndPoint)server.EndPoints[0]).Port}");
await Task.Delay(Timeout.Infinite);
