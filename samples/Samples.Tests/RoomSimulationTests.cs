using System.Globalization;
using ArenaServer.Game;
using ArenaServer.Protocol;
using PlayChat.Core.Rooms;
using PlayChat.Matchmaking;
using PlayChat.Players;
using PlayChat.Testing;
using Territory;

namespace Samples.Tests;

/// <summary>The rooms of two games in simulated worlds. The variable SEEDS says how many; they survive 10,000.</summary>
public sealed class RoomSimulationTests
{
    private static readonly int s_seeds = int.Parse(Environment.GetEnvironmentVariable("SEEDS") ?? "30", CultureInfo.InvariantCulture);

    [Fact]
    public async Task The_arena_survives() => await new RoomSimulation<ArenaRoom>
    {
        Make = static context => new ArenaRoom(context),
        Packets = ArenaPackets.All,
        Configure = static server => server.UseArena(),
        Settings = new RoomSettings { Name = ArenaRoom.Title },
        Join = static async (room, session, random) =>
            (await room.JoinAsync(session, new ArenaServer.Protocol.Join(random.Next(10) == 0 ? "" : "ann"))).IsJoined,
        Leave = static (room, session) => room.LeaveAsync(session).AsTask(),
        Act = static (client, random) => client.SendPacket(
            new ArenaServer.Protocol.Steer((sbyte)random.Next(-1, 2), (sbyte)random.Next(-1, 2))),
        Check = static room =>
        {
            Assert.All(room.State.Players, static player => Assert.True(
                player is { X: >= 0 and < ArenaRules.Width, Y: >= 0 and < ArenaRules.Height }, player.ToString()));
            Assert.True(room.State.Coin is { X: >= 0 and < ArenaRules.Width, Y: >= 0 and < ArenaRules.Height });
        },
    }.RunAsync(s_seeds);

    [Fact]
    public async Task Territory_survives() => await new RoomSimulation<TerritoryRoom>
    {
        Make = static context => new TerritoryRoom(context, new Scores(new ScoresInMemory())),
        Packets = TerritoryPackets.All,
        Configure = static server => server.UseTerritory(new Scores(new ScoresInMemory())),
        Settings = TerritoryRoom.Settings,
        Players = 6,
        Pace = TimeSpan.FromSeconds(0.5), // so that rounds end
        Join = static async (room, session, random) => random.Next(4) == 0
            ? (await room.JoinAsync(session, default)).IsJoined
            : room.TryTake([new MatchSeat<Territory.Join>(0, new Territory.Join("ann", IsSpectator: false), session)]),
        Leave = static (room, session) => room.LeaveAsync(session).AsTask(),
        Act = static (client, random) => client.SendPacket(new Territory.Steer(random.Next(-1, 2), random.Next(-1, 2))),
        Check = static room =>
        {
            World world = room.Sync.State;
            Assert.Equal(world.Red, world.Cells.Values.Count(static team => team == TerritoryRoom.Red));
            Assert.Equal(world.Blue, world.Cells.Values.Count(static team => team == TerritoryRoom.Blue));
            Assert.InRange(world.Players.Count, 0, room.MemberCount);
            Assert.All(world.Players.Values, player => Assert.True(
                player.X > 0 && player.X < world.Width && player.Y > 0 && player.Y < world.Height));
        },
    }.RunAsync(s_seeds);

    /// <summary>Scores without a database, whose answers would come at other times in each run.</summary>
    private sealed class ScoresInMemory : IPlayerStore
    {
        private readonly Dictionary<string, RankedScore> _best = [];

        public int MaxValueBytes => 1;

        public Task AppendScoreAsync(PlayerScore score, CancellationToken cancellationToken = default)
        {
            _best[score.Player] = new RankedScore(1, score, default);
            return Task.CompletedTask;
        }

        public Task<IReadOnlyList<RankedScore>> ListTopAsync(
            string board, int limit = 100, int skip = 0, CancellationToken cancellationToken = default) =>
            Task.FromResult<IReadOnlyList<RankedScore>>([.. _best.Values]);

        public Task InitializeAsync(CancellationToken cancellationToken = default) => Task.CompletedTask;

        public Task<PlayerDocument?> ReadAsync(DocumentKey key, bool asOwner = false, CancellationToken cancellationToken = default) =>
            throw new NotSupportedException();

        public Task<IReadOnlyList<PlayerDocument>> ListAsync(
            string player,
            string collection,
            string prefix = "",
            string after = "",
            int limit = 100,
            bool asOwner = false,
            CancellationToken cancellationToken = default) => throw new NotSupportedException();

        public Task<TransactionResult> ExecuteAsync(
            IReadOnlyList<PlayerWrite> writes, TransactionKey? key = null, CancellationToken cancellationToken = default) =>
            throw new NotSupportedException();

        public Task<TransactionResult?> FindResultAsync(TransactionKey key, CancellationToken cancellationToken = default) =>
            throw new NotSupportedException();

        public Task<PlayerExport> ExportAsync(string player, CancellationToken cancellationToken = default) =>
            throw new NotSupportedException();

        public Task<int> EraseAsync(string player, CancellationToken cancellationToken = default) => throw new NotSupportedException();

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
