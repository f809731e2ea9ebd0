using PlayChat.Core.Clients;
using PlayChat.Core.Framing;
using PlayChat.MatchProbe;
using PlayChat.TestUtilities;

namespace PlayChat.Matchmaking.Tests;

/// <summary>Three nodes share a queue, and are killed.</summary>
public sealed class SharedQueueTests
{
    [Fact]
    public Task Players_of_three_nodes_are_matched_once_though_the_owner_of_the_queue_is_killed() =>
        PlayAsync(players: 60, duels: 5, kills: 1);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Ten_thousand_tickets_are_matched_once_though_the_owner_of_the_queue_is_killed_twice() =>
        PlayAsync(players: 500, duels: 20, kills: 2);

    [Fact]
    public async Task Matches_are_placed_on_the_node_with_the_fewest_rooms()
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresSpace space = await PostgresSpace.CreateAsync();
        await using var nodes = new QueueNodes(space.ConnectionString);
        await nodes.StartAsync(100, 20, 0);
        await using var connector = new PlayChatConnector(FrameFormat.Packet(), MatchPackets.All, DuelPlayer.Map);
        // On two nodes, so that the third, which is to run most matches, has none of the players.
        DuelPlayer[] all = [.. Enumerable.Range(0, 60).Select(number => new DuelPlayer(number / 2 * 3 + (number % 2), nodes, connector))];

        DuelSeat[] seats = await Task.WhenAll(all.Select(async player =>
            Assert.IsType<DuelSeat>(await player.FindAsync(TestContext.Current.CancellationToken))));

        // 30 matches: until node 3 has as many rooms as node 2, and then on both.
        int[] matches = [.. Enumerable.Range(1, 3).Select(node => seats.Count(seat => seat.Node == node) / 2)];
        Assert.Equal(0, matches[0]);
        Assert.Equal(30, matches[1] + matches[2]);
        Assert.InRange(matches[2], 20, 29);
        foreach (DuelPlayer player in all[..2])
        {
            Assert.Equal(30, await Eventually.GetAsync(player.CountMatchesAsync, static count => count == 30)); // on its node
        }
    }

    private static async Task PlayAsync(int players, int duels, int kills)
    {
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresSpace space = await PostgresSpace.CreateAsync();
        await using var nodes = new QueueNodes(space.ConnectionString);
        await nodes.StartAsync(0, 0, 0);
        await using var connector = new PlayChatConnector(FrameFormat.Packet(), MatchPackets.All, DuelPlayer.Map);
        DuelPlayer[] all = [.. Enumerable.Range(0, players).Select(number => new DuelPlayer(number, nodes, connector))];
        using var enough = new CancellationTokenSource();
        Task playing = Task.WhenAll(all.Select(player => Task.Run(() => player.PlayAsync(enough.Token))));
        for (int kill = 0; kill < kills; kill++)
        {
            // In the middle: a part of the duels has happened, and the queue is in use.
            int part = players * duels * (kill + 1) / (kills + 2);
            await UntilAsync(() => all.Sum(static player => player.Duels.Count) >= part);
            await nodes.KillOwnerAsync();
        }

        await UntilAsync(() => Array.TrueForAll(all, player => player.Duels.Count >= duels));
        await enough.CancelAsync();
        await playing;

        TestContext.Current.TestOutputHelper?.WriteLine($"The longest wait: {all.Max(static player => player.Longest)}.");
        (string Ticket, DuelSeat Seat)[] seats = [.. all.SelectMany(static player => player.Duels)];
        Assert.Distinct(seats.Select(static seat => seat.Ticket), StringComparer.Ordinal); // none in two matches
        Assert.All(seats, static seat => Assert.Contains(seat.Ticket, seat.Seat.Tickets, StringComparer.Ordinal));
        Assert.All(
            seats.GroupBy(static seat => seat.Seat.Match, StringComparer.Ordinal), static match => Assert.InRange(match.Count(), 1, 2));

        Task UntilAsync(Func<bool> hasHappened) => Eventually.TrueAsync(() => playing.IsFaulted || hasHappened());
    }
}
