using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.WebSockets;
using PlayChat.State;

namespace Territory;

/// <summary>Clients that play: each has a copy of the world, and heads for cells that its team does not have.</summary>
internal sealed class Bots : IAsyncDisposable
{
    private readonly PlayChatConnector _connector = new(
        FrameFormat.Packet(), OnFrame, transport: new WebSocketTransport(), packets: TerritoryPackets.All);

    /// <param name="port">The server's, on this machine.</param>
    /// <param name="count">How many bots.</param>
    public async Task StartAsync(int port, int count)
    {
        for (int i = 1; i <= count; i++)
        {
            var bot = new Bot();
            Connection connection = await _connector.ConnectAsync("127.0.0.1", port, connection => connection.Set(bot));
            Joined joined = await connection.RequestAsync<Joined>(new Join($"bot {i}", IsSpectator: false), TimeSpan.FromSeconds(30));
            bot.Id = joined.PlayerId;
        }
    }

    public ValueTask DisposeAsync() => _connector.DisposeAsync();

    private static void OnFrame(Connection connection, Frame frame)
    {
        if (frame.Header.PacketId == TerritoryPackets.State && connection.Get<Bot>() is { } bot)
        {
            bot.World.Apply(frame.Body);
            if (bot.Think() is { } steer)
            {
                connection.SendPacket(steer);
            }
        }
    }

    private sealed class Bot
    {
        private int _messagesLeft; // until it thinks again

        public StateReplica<World> World { get; } = new(new World());

        /// <summary>0 until it has joined.</summary>
        public long Id { get; set; }

        public Steer? Think()
        {
            World world = World.State;
            if (!world.Players.TryGetValue(Id, out Player? self) || _messagesLeft-- > 0)
            {
                return null;
            }

            _messagesLeft = Random.Shared.Next(4, 16);
            for (int attempt = 0; attempt < 10; attempt++)
            {
                int cell = Random.Shared.Next(world.Width * world.Height);
                if (!world.Cells.TryGetValue(cell, out byte team) || team != self.Team)
                {
                    return new Steer((cell % world.Width).CompareTo((int)self.X), (cell / world.Width).CompareTo((int)self.Y));
                }
            }

            return new Steer(Random.Shared.Next(-1, 2), Random.Shared.Next(-1, 2));
        }
    }
}
