using ArenaServer.Protocol;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Transport;

namespace ArenaServer.Bots;

/// <summary>A client that runs for the coin, and comes back when its connection breaks.</summary>
internal sealed class Bot(string name, ArenaOptions options, Random random)
{
    private static readonly TimeSpan s_thinking = TimeSpan.FromMilliseconds(150);
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1); // at most, before the first attempt to return

    private volatile ReconnectingConnection? _connection;
    private volatile JoinAnswer? _seat;

    public ArenaView View { get; } = new();

    /// <summary>Maps what the server sends. A connection's state is its bot.</summary>
    public static void MapPackets(PacketRouter router)
    {
        router.MapPacket<ArenaState>(static (context, state) => Of(context).Apply(state));
        router.MapPacket<ArenaEvent>(static (context, happened) => Of(context).Apply(happened));
        router.MapPacket<Position>(static (context, position) => Of(context).Apply(position));
    }

    /// <summary>Plays until it is cancelled, then says goodbye.</summary>
    /// <exception cref="ConnectFailedException">There is no server to begin with, or it was away for too long.</exception>
    /// <exception cref="ConnectionClosedException">The server has closed the connection before it answered.</exception>
    /// <exception cref="TimeoutException">The server has not answered.</exception>
    /// <exception cref="JoinRefusedException">There is no seat.</exception>
    public async Task RunAsync(PlayChatConnector connector, CancellationToken cancellationToken)
    {
        var reconnect = new ReconnectOptions
        {
            FirstDelay = s_pause,
            Reconnecting = _ => View.Tell($"{name}: my connection has broken; I try again"),
            Leaving = static connection => connection.SendPacket(new Goodbye()),
        };
        try
        {
            _connection = await connector.ConnectLastingAsync(
                options.Host, options.Port, EnterAsync, reconnect, connection => connection.Set(this), cancellationToken);
        }
        catch (OperationCanceledException)
        {
            return;
        }

        using var timer = new PeriodicTimer(s_thinking);
        while (!_connection.Closed.IsCompleted && await timer.NextAsync(cancellationToken))
        {
            _connection.Current?.SendPacket(Think(_seat!.PlayerId));
        }

        await _connection.DisposeAsync();
        if ((await _connection.Closed).Error is { } error)
        {
            throw error;
        }
    }

    /// <summary>Breaks the connection, as a lost network does.</summary>
    public void Cut() => _connection?.Current?.Abort(CloseReason.TransportFault);

    private static ArenaView Of(PacketContext context) => context.Connection.Get<Bot>()!.View;

    /// <summary>Takes the bot's seat on a new connection, or another one if it was away for too long.</summary>
    private async ValueTask EnterAsync(Connection connection, ReconnectAttempt? attempt, CancellationToken cancellationToken)
    {
        JoinAnswer? answer = _seat is { } seat
            ? await connection.RequestAsync<JoinAnswer>(new Resume(seat.Token), s_patience, cancellationToken)
            : null;
        if (answer is not { Refusal: null })
        {
            answer = await connection.RequestAsync<JoinAnswer>(new Join(name), s_patience, cancellationToken);
        }

        _seat = answer.Refusal is { } refusal ? throw new JoinRefusedException(refusal) : answer;
    }

    /// <summary>To the coin, and now and then somewhere else.</summary>
    private Steer Think(long playerId)
    {
        if (View.Find(playerId) is not { } self || random.Next(6) == 0)
        {
            return new Steer((sbyte)random.Next(-1, 2), (sbyte)random.Next(-1, 2));
        }

        Cell coin = View.Coin;
        return new Steer((sbyte)Math.Sign(coin.X - (int)self.X), (sbyte)Math.Sign(coin.Y - (int)self.Y));
    }
}
