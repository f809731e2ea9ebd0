using System.Threading.Channels;
using ArenaServer;
using ArenaServer.Bots;
using ArenaServer.Game;
using ArenaServer.Protocol;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Testing;

namespace Samples.Tests;

/// <summary>The real bots in an arena without sockets, where connections break all the time.</summary>
public sealed class ArenaCutTests
{
    private const int Bots = 20;
    private const int Cuts = 100;

    private readonly Channel<object> _heard = Channel.CreateUnbounded<object>(); // what the arena has told a client that is never cut
    private readonly Dictionary<long, int> _scores = []; // by player, as the events count them
    private readonly HashSet<long> _running = []; // players that have moved since their connection broke last
    private readonly Dictionary<ArenaEventKind, int> _events = Enum.GetValues<ArenaEventKind>().ToDictionary(static kind => kind, _ => 0);

    [Fact(Timeout = 180_000)] // a guard against waiting for a bot that never comes back
    public async Task Bots_whose_connections_are_cut_100_times_at_random_moments_keep_their_seats_and_scores()
    {
        // A resume takes 100 ms, so some cuts hit one that is under way, and its answer is lost.
        var transport = new InMemoryTransport { Conditions = new LinkConditions { Latency = TimeSpan.FromMilliseconds(50) } };
        await using PlayChatServer server = new PlayChatServer(static options =>
            {
                options.ListenTcp("127.0.0.1:0");
                options.Sessions.IdleTimeout = Timeout.InfiniteTimeSpan;
            })
            .UseTransport(transport)
            .AddRoom<ArenaRoom>(ArenaRoom.Title)
            .UseArena();
        server.Options.Sessions.ResumeWindow = TimeSpan.FromMinutes(10); // so that a slow machine loses no seat
        await server.StartAsync();
        await using var connector = new PlayChatConnector(
            FrameFormat.Packet(),
            ArenaPackets.All,
            router =>
            {
                router.MapPacket<ArenaState>(static (_, _) => { });
                router.MapPacket<ArenaEvent>((_, happened) => _heard.Writer.TryWrite(happened));
                router.MapPacket<Position>((_, position) => _heard.Writer.TryWrite(position));
            },
            transport: transport);
        Connection watching = await connector.ConnectAsync(server.EndPoints[0]);
        await watching.RequestAsync<JoinAnswer>(new Join("watch"), Hang.Guard);
        await using var botConnector = new PlayChatConnector(FrameFormat.Packet(), ArenaPackets.All, Bot.MapPackets, transport: transport);
        ArenaOptions options = ArenaOptions.Parse(["--port", $"{server.EndPoints[0]}".Split(':')[1]]);
        using var stop = new CancellationTokenSource();
        Task[] playing =
        [
            .. Enumerable.Range(0, Bots).Select(i => new Bot($"bot{i}", options, new Random(i)).RunAsync(botConnector, stop.Token)),
        ];
        while (_running.Count < Bots) // a bot that runs has its token
        {
            await HearAsync();
        }

        var random = new Random(1);
        List<Connection> cut = [];
        while (cut.Count < Cuts)
        {
            for (int wait = random.Next(1, 30); wait > 0; wait--)
            {
                await HearAsync();
            }

            // Connections of players, and those on which a player is just coming back.
            Connection[] open =
            [
                .. server.Sessions.All.Select(static session => session.Connection)
                    .Where(connection => !Equals(connection.RemoteEndPoint, watching.LocalEndPoint)),
            ];
            if (open.Length > 0 && open[random.Next(open.Length)] is var unlucky && transport.Break(unlucky.RemoteEndPoint!))
            {
                cut.Add(unlucky);
            }
        }

        await Task.WhenAll(cut.Select(static connection => connection.Closed)).WaitAsync(Hang.Guard);
        while (server.Sessions.AwayCount > 0 || _running.Count < Bots)
        {
            await HearAsync();
        }

        Assert.InRange(_events[ArenaEventKind.Returned], 1, Cuts);
        Assert.Equal(Bots + 1, server.Rooms.Get<ArenaRoom>(ArenaRoom.Title).MemberCount);
        Assert.DoesNotContain(playing, static bot => bot.IsCompleted);
        await stop.CancelAsync();
        await Task.WhenAll(playing).WaitAsync(Hang.Guard);
    }

    /// <summary>Waits for the next message of the arena. Fails when a seat was lost or taken anew, or a score has changed without a coin.
    /// </summary>
    private async Task HearAsync()
    {
        object message = await _heard.Reader.ReadAsync(TestContext.Current.CancellationToken);
        if (message is Position position)
        {
            _running.Add(position.PlayerId);
        }
        else if (message is ArenaEvent { Kind: var kind, Player: var player })
        {
            int score = _scores.GetValueOrDefault(player.Id) + (kind == ArenaEventKind.Scored ? 1 : 0);
            Assert.Equal(score, player.Score);
            _scores[player.Id] = score;
            _events[kind]++;
            Assert.InRange(_events[ArenaEventKind.Joined], 1, Bots);
            Assert.Equal(0, _events[ArenaEventKind.Left]);
            if (kind == ArenaEventKind.Away)
            {
                _running.Remove(player.Id);
            }
        }
    }
}
