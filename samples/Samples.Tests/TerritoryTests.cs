using System.Runtime.CompilerServices;
using PlayChat.State;
using PlayChat.Testing;
using Territory;

namespace Samples.Tests;

/// <summary>Territory's room without sockets, and the types of its page.</summary>
public sealed class TerritoryTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public async Task A_player_that_steers_moves_and_paints_and_a_spectator_sees_it()
    {
        await using RoomHarness<TerritoryRoom> harness = await StartAsync();
        HarnessClient eve = await harness.ConnectAsync();
        HarnessClient ann = await harness.ConnectAsync();
        await AskAsync(harness, eve, new Join("", IsSpectator: true));
        long id = (await AskAsync(harness, ann, new Join("ann", IsSpectator: false))).PlayerId;
        await harness.AdvanceAsync(s_second);
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
        await using RoomHarness<TerritoryRoom> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        Joined seat = await AskAsync(harness, ann, new Join("ann", IsSpectator: false));
        ann.SendPacket(new Steer(1, 1));
        await harness.AdvanceAsync(45 * s_second);

        ann.Break();
        await harness.AdvanceAsync(25 * s_second);
        HarnessClient again = await harness.ConnectAsync();
        Joined back = await AskAsync(harness, again, new Resume(seat.Token, Revision: 0));
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

    private static Task<RoomHarness<TerritoryRoom>> StartAsync() => RoomHarness.StartAsync(
        static context => new TerritoryRoom(context),
        TerritoryPackets.All,
        static server => server.UseTerritory(),
        settings: TerritoryRoom.Settings);

    private static async Task<Joined> AskAsync<TRequest>(RoomHarness<TerritoryRoom> harness, HarnessClient client, TRequest request)
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
