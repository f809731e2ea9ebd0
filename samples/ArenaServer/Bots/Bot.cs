using ArenaServer.Protocol;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;

namespace ArenaServer.Bots;

/// <summary>A client that runs for the coin, and comes back when its connection breaks.</summary>
internal sealed class Bot(string name, ArenaOptions options, Random random)
{
    private static readonly TimeSpan s_thinking = TimeSpan.FromMilliseconds(150);
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1); // before another attempt

    private volatile Connection? _connection;
    private string? _token;

    public ArenaView View { get; } = new();

    /// <summary>What the server sends; a connection's tag is its bot.</summary>
    public static void MapPackets(PacketRouter router)
    {
        router.MapPacket<ArenaState>(static (context, state) => Of(context).Apply(state));
        router.MapPacket<ArenaEvent>(static (context, happened) => Of(context).Apply(happened));
        router.MapPacket<Position>(static (context, position) => Of(context).Apply(position));
    }

    /// <summary>Plays until it is cancelled, then says goodbye.</summary>
    /// <exception cref="ConnectFailedException">There is no server to begin with.</exception>
    /// <exception cref="JoinRefusedException">There is no seat.</exception>
    public async Task RunAsync(PlayChatConnector connector, CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            try
            {
                await PlayAsync(connector, cancellationToken);
                await Task.Delay(s_pause, cancellationToken);
            }
            catch (Exception e) when (
                e is ConnectionClosedException or TimeoutException || (e is ConnectFailedException && _token is not null))
            {
                await Task.Delay(s_pause, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
            catch (OperationCanceledException)
            {
                break;
            }
        }
    }

    /// <summary>What a lost network does.</summary>
    public void Cut() => _connection?.Abort();

    private static ArenaView Of(PacketContext context) => context.Connection.Get<Bot>()!.View;

    /// <summary>Until the connection ends.</summary>
    private async Task PlayAsync(PlayChatConnector connector, CancellationToken cancellationToken)
    {
        Connection connection = await connector.ConnectAsync(options.Host, options.Port, this, cancellationToken);
        JoinAnswer answer = await connection.RequestAsync<JoinAnswer>(new Join(name, _token), s_patience, cancellationToken);
        if (answer.Refusal is { } refusal)
        {
            connection.Close();
            if (_token is null)
            {
                throw new JoinRefusedException(refusal);
            }

            _token = null; // it has been away for too long: a new seat at the next attempt
            return;
        }

        _token = answer.Token;
        _connection = connection;
        using var timer = new PeriodicTimer(s_thinking);
        while (connection.IsOpen)
        {
            connection.SendPacket(Think(answer.PlayerId));
            if (!await timer.NextAsync(cancellationToken))
            {
                connection.SendPacket(new Goodbye());
                connection.Close();
                await connection.Closed;
                return;
            }
        }

        View.Tell($"{name}: my connection has broken; I try again");
    }

    /// <summary>To the coin, and now and then somewhere else.</summary>
    private Steer Think(int playerId)
    {
        if (View.Find(playerId) is not { } self || random.Next(6) == 0)
        {
            return new Steer((sbyte)random.Next(-1, 2), (sbyte)random.Next(-1, 2));
        }

        Cell coin = View.Coin;
        return new Steer((sbyte)Math.Sign(coin.X - (int)self.X), (sbyte)Math.Sign(coin.Y - (int)self.Y));
    }
}
