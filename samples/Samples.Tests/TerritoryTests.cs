using System.Runtime.CompilerServices;
using PlayChat.Core.Rooms;
using PlayChat.Players;
using PlayChat.State;
using PlayChat.Storage.Sqlite;
using PlayChat.Testing;
using Territory;

namespace Samples.Tests;

/// <summary>Territory's lobby, room and scores without sockets, and the types of its page.</summary>
public sealed class TerritoryTests : IAsyncLifetime
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly string _folder = Directory.CreateTempSubdirectory().FullName;
    private PlayerStore _store = null!;

    public async ValueTask InitializeAsync()
    {
        _store = PlayerStore.OnSqlite(new SqliteStoreOptions { Path = Path.Combine(_folder, "territory.db") });
        await _store.InitializeAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await _store.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task A_player_that_is_alone_waits_three_seconds_and_hears_for_how_long()
    {
        await using RoomHarness<Room> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        await AskAsync(harness, ann, new Join("ann", IsSpectator: false));

        await harness.AdvanceAsync(5 * s_second);

        Assert.Equal([0, 1, 2], ann.Received<Waiting>().Select(static waiting => waiting.Seconds));
        Assert.Equal("ann", Assert.Single(WorldOf(ann).Players.Values).Name);
        Assert.Single(harness.Server.Rooms.All.OfType<TerritoryRoom>());
    }

    [Fact]
    public async Task Players_that_do_not_fit_get_a_room_of_their_own_and_a_seat_that_is_free_again_is_taken_first()
    {
        await using RoomHarness<Room> harness = await StartAsync();
        List<HarnessClient> clients = [];
        for (int i = 0; i <= TerritoryRoom.Seats; i++)
        {
            clients.Add(await harness.ConnectAsync());
            await AskAsync(harness, clients[i], new Join($"player {i}", IsSpectator: false));
        }

        await harness.AdvanceAsync(5 * s_second);
        Assert.Equal([1, TerritoryRoom.Seats], CountMembers(harness));

        clients[0].Break();
        await harness.AdvanceAsync(35 * s_second); // its session may have come back until then
        HarnessClient eve = await harness.ConnectAsync();
        await AskAsync(harness, eve, new Join("eve", IsSpectator: false));
        await harness.AdvanceAsync(5 * s_second);
        Assert.Equal(TerritoryRoom.Seats + 1, CountMembers(harness).Sum());
    }

    [Theory]
    [InlineData("")]
    [InlineData(" ann")]
    [InlineData("a\u0007")]
    [InlineData("a name that is too long")]
    public async Task A_name_that_the_scores_cannot_keep_is_refused(string name)
    {
        await using RoomHarness<Room> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();

        Assert.NotNull((await AskAsync(harness, ann, new Join(name, IsSpectator: false))).Refusal);
    }

    [Fact]
    public async Task The_best_players_are_shown_when_a_round_has_ended()
    {
        var scores = new Scores(_store);
        await scores.AddAsync([("bob", 1000), ("eve", 1000)]);
        await using RoomHarness<Room> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        var replica = new StateReplica<World>(new World());
        var isShown = new TaskCompletionSource();
        ann.OnReceived = frame =>
        {
            if (frame.Header.PacketId == TerritoryPackets.State)
            {
                replica.Apply(frame.Body.Span);
                if (replica.State.Best.Count == 3)
                {
                    isShown.TrySetResult();
                }
            }
        };
        await AskAsync(harness, ann, new Join("ann", IsSpectator: false));
        await harness.AdvanceAsync(5 * s_second);
        ann.SendPacket(new Steer(1, 1));

        await harness.AdvanceAsync(60 * s_second);
        await isShown.Task.WaitAsync(Hang.Guard);

        Assert.Equal(
            [(1, "bob"), (1, "eve"), (3, "ann")], replica.State.Best.Select(static best => (best.Rank, best.Name)));
        Assert.InRange(replica.State.Best[2].Cells, 1, 640);
    }

    [Fact]
    public async Task A_player_stands_on_the_board_once_with_its_best_round()
    {
        var scores = new Scores(_store);
        await scores.AddAsync([("ann", 5), ("bob", 7)]);

        IReadOnlyList<RankedScore> best = await scores.AddAsync([("ann", 9), ("bob", 2)]);

        Assert.Equal([("ann", 9L), ("bob", 7L)], best.Select(static line => (line.Score.Player, line.Score.Score)));
    }

    [Fact]
    public async Task A_player_that_steers_moves_and_paints_and_a_spectator_sees_it()
    {
        await using RoomHarness<Room> harness = await StartAsync();
        HarnessClient eve = await harness.ConnectAsync();
        HarnessClient ann = await harness.ConnectAsync();
        await AskAsync(harness, eve, new Join("", IsSpectator: true));
        long id = (await AskAsync(harness, ann, new Join("ann", IsSpectator: false))).PlayerId;
        await harness.AdvanceAsync(5 * s_second);
        float start = WorldOf(eve).Players[id].X;
        int direction = start < 16 ? 1 : -1;

        ann.SendPacket(new Steer(direction, 0));
        await harness.AdvanceAsync(s_second);

        World world = WorldOf(eve);
        Assert.Equal("ann", Assert.Single(world.Players.Values).Name);
        Assert.Equal(start + (direction * 8), world.Players[id].X, 0.5f);
        Assert.Equal((world.Cells.Count, 0), (world.Red, world.Blue));
        Assert.InRange(world.Cells.Count, 8, 10);
    }

    [Fact]
    public async Task A_player_that_was_away_when_the_round_ended_sees_the_result()
    {
        await using RoomHarness<Room> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        Joined seat = await AskAsync(harness, ann, new Join("ann", IsSpectator: false));
        await harness.AdvanceAsync(5 * s_second);
        ann.SendPacket(new Steer(1, 1));
        await harness.AdvanceAsync(40 * s_second);

        ann.Break();
        await harness.AdvanceAsync(25 * s_second);
        HarnessClient again = await harness.ConnectAsync();
        Joined back = await AskAsync(harness, again, new Join("ann", IsSpectator: false, seat.Token));
        await harness.AdvanceAsync(s_second);

        World world = WorldOf(again);
        Assert.Equal(seat.PlayerId, back.PlayerId);
        Assert.False(world.Players[seat.PlayerId].IsAway);
        Assert.Equal((1, TerritoryRoom.Red), (world.LastRound?.Number, world.LastRound?.Winner));
        Assert.Empty(world.Cells);
    }

    /// <summary>With PLAYCHAT_UPDATE_GENERATED=1 it writes the file.</summary>
    [Fact]
    public void The_types_of_the_page_are_those_of_the_state()
    {
        string file = Path.Combine(Path.GetDirectoryName(FileName())!, "../Territory/Page/world.ts");
        string types = StateTypes.WriteTypeScript(new World());
        if (Environment.GetEnvironmentVariable("PLAYCHAT_UPDATE_GENERATED") is { Length: > 0 })
        {
            File.WriteAllText(file, types);
        }

        Assert.Equal(types, File.ReadAllText(file).ReplaceLineEndings("\n"));
    }

    private static int[] CountMembers(RoomHarness<Room> harness) =>
        [.. harness.Server.Rooms.All.OfType<TerritoryRoom>().Select(static room => room.MemberCount).Order()];

    private Task<RoomHarness<Room>> StartAsync() =>
        RoomHarness.StartServerAsync(TerritoryPackets.All, server => server.UseTerritory(new Scores(_store)));

    private static async Task<Joined> AskAsync<TRequest>(RoomHarness<Room> harness, HarnessClient client, TRequest request)
    {
        client.SendPacket(request, requestId: 1);
        await harness.IdleAsync();
        return client.Received<Joined>()[^1];
    }

    private static World WorldOf(HarnessClient client)
    {
        var replica = new StateReplica<World>(new World());
        foreach (ReceivedFrame frame in client.Frames.Where(static frame => frame.Header.PacketId == TerritoryPackets.State))
        {
            Assert.NotEqual(StateApplyResult.Malformed, replica.Apply(frame.Body.Span));
        }

        return replica.State;
    }

    private static string FileName([CallerFilePath] string path = "") => path;
}
