using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Threading.Channels;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Transport;
using PlayChat.MatchProbe;
using PlayChat.TestUtilities;

namespace PlayChat.Matchmaking.Tests;

/// <summary>A player of duels, who connects to another node when its node is killed.</summary>
internal sealed class DuelPlayer(int number, QueueNodes nodes, PlayChatConnector connector)
{
    private Channel<object> _heard = Channel.CreateUnbounded<object>(); // of the present connection
    private Connection? _connection;
    private int _tickets;

    /// <summary>The tickets that got a seat.</summary>
    public ConcurrentQueue<(string Ticket, DuelSeat Seat)> Duels { get; } = new();

    /// <summary>The longest time that a ticket has waited.</summary>
    public TimeSpan Longest { get; private set; }

    public static void Map(PacketRouter router)
    {
        router.MapPacket<DuelSeat>(static (context, seated) => context.Connection.Get<DuelPlayer>()!.Hear(seated));
        router.MapPacket<Unmatched>(static (context, told) => context.Connection.Get<DuelPlayer>()!.Hear(told));
        router.MapPacket<MatchesMade>(static (_, _) => { });
        router.MapPacket<DuelLeft>(static (context, left) => context.Connection.Get<DuelPlayer>()!.Hear(left));
    }

    /// <summary>Plays duels until all players have enough. A ticket that gets none is told so, or its connection ends; the player then
    /// takes another one.</summary>
    public async Task PlayAsync(CancellationToken enough)
    {
        while (!enough.IsCancellationRequested)
        {
            try
            {
                if (await FindAsync(enough) is DuelSeat seated)
                {
                    Duels.Enqueue((seated.Name, seated));
                    _connection!.SendPacket(new LeaveDuel());
                    Assert.IsType<DuelLeft>(await HearAsync(CancellationToken.None));
                }
            }
            catch (OperationCanceledException)
            {
                return; // the last ticket may have found no other player
            }
            catch (Exception e) when (e is IOException or ConnectFailedException)
            {
                _connection = null; // the node was killed
                _heard = Channel.CreateUnbounded<object>();
            }
        }
    }

    /// <summary>Asks for a duel with another ticket, and waits for what comes of it.</summary>
    public async Task<object> FindAsync(CancellationToken enough)
    {
        _connection ??= await connector.ConnectAsync("127.0.0.1", nodes.PortFor(number), made => made.Set(this), enough);
        string ticket = string.Create(CultureInfo.InvariantCulture, $"{number}/{++_tickets}");
        long start = Stopwatch.GetTimestamp();
        _connection.SendPacket(new FindDuel(ticket));
        object answer = await HearAsync(enough);
        Assert.Equal(ticket, (answer as DuelSeat)?.Name ?? ticket);
        TimeSpan waited = Stopwatch.GetElapsedTime(start);
        Longest = waited > Longest ? waited : Longest;
        return answer;
    }

    /// <summary>Asks how many matches the queue has made, as the node of the player knows it.</summary>
    public async Task<long> CountMatchesAsync() =>
        (await _connection!.RequestAsync<MatchesMade>(new AskMatches(), TestTimeouts.Hang)).Count;

    private void Hear(object message) => _heard.Writer.TryWrite(message);

    /// <summary>Waits for the next message about the present ticket.</summary>
    private async Task<object> HearAsync(CancellationToken enough)
    {
        Task<object> next = _heard.Reader.ReadAsync(enough).AsTask();
        await Task.WhenAny(next, _connection!.Closed).WaitAsync(TestTimeouts.Hang, enough);
        return next.IsCompleted ? await next : throw new IOException("The connection has ended.");
    }
}
