using ArenaServer.Game;
using ArenaServer.Protocol;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Testing;

namespace Samples.Tests;

/// <summary>The arena without sockets, under a clock that only these tests move.</summary>
public sealed class ArenaRoomTests
{
    private const float Tolerance = 0.01f;
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public async Task A_client_that_joins_gets_an_answer_and_the_state_and_the_others_hear_of_it()
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        HarnessClient bob = await harness.ConnectAsync();

        await JoinAsync(harness, ann, new Join("ann"));
        JoinAnswer answer = await JoinAsync(harness, bob, new Join("bob"));

        Assert.Equal(bob.Session.Id, answer.PlayerId);
        Assert.False(answer.Token.IsEmpty);
        Assert.Equal(2, bob.Frames.Count);
        Assert.Equal(["ann", "bob"], Assert.Single(bob.Received<ArenaState>()).Players.Select(static player => player.Name));
        ArenaEvent joined = Assert.Single(ann.Received<ArenaEvent>());
        Assert.Equal((ArenaEventKind.Joined, "bob"), (joined.Kind, joined.Player.Name));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a name of 17 chars")]
    [InlineData("ann\u001b[2J")]
    public async Task A_bad_name_is_refused_with_a_reason(string name)
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync();
        HarnessClient client = await harness.ConnectAsync();

        JoinAnswer answer = await JoinAsync(harness, client, new Join(name));

        Assert.NotNull(answer.Refusal);
        Assert.True(answer.Token.IsEmpty);
        Assert.Equal(0, harness.Room.MemberCount);
    }

    [Fact]
    public async Task A_player_that_steers_moves_at_each_tick_and_everybody_sees_where_to()
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        HarnessClient bob = await harness.ConnectAsync();
        long id = (await JoinAsync(harness, ann, new Join("ann"))).PlayerId;
        await JoinAsync(harness, bob, new Join("bob"));
        PlayerState start = PlayerOf(bob, id);

        ann.SendPacket(new Steer(1, 0));
        await harness.AdvanceAsync(s_second);
        ann.SendPacket(new Steer(0, 0));
        await harness.AdvanceAsync(s_second);

        IReadOnlyList<Position> seen = bob.Received<Position>();
        Assert.Equal((int)ArenaRules.Hertz, seen.Count); // none after it stood still
        Assert.All(seen, position => Assert.Equal((id, start.Y), (position.PlayerId, position.Y)));
        Assert.Equal((start.X + ArenaRules.Speed) % ArenaRules.Width, seen[^1].X, Tolerance);
        Assert.Equal(seen, ann.Received<Position>());
    }

    [Fact]
    public async Task Of_what_a_slow_reader_could_not_be_sent_it_gets_only_the_newest_positions_and_every_event()
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync();
        List<HarnessClient> runners = [];
        for (int i = 0; i < 30; i++)
        {
            HarnessClient runner = await harness.ConnectAsync();
            await JoinAsync(harness, runner, new Join($"runner{i}"));
            runners.Add(runner);
        }

        // So much is under way to it that nothing more can be sent for a while.
        HarnessClient slow = await harness.ConnectAsync(new LinkConditions { Latency = TimeSpan.FromSeconds(15) });
        slow.SendPacket(new Join("slow"), requestId: 1);
        await harness.AdvanceAsync(TimeSpan.FromSeconds(16));
        runners.ForEach(static runner => runner.Forget());

        runners.ForEach(static runner => runner.SendPacket(new Steer(1, 0)));
        await harness.AdvanceAsync(TimeSpan.FromSeconds(10));
        runners.ForEach(static runner => runner.SendPacket(new Steer(0, 0)));
        await harness.AdvanceAsync(TimeSpan.FromSeconds(45));

        IReadOnlyList<Position> all = runners[0].Received<Position>();
        IReadOnlyList<Position> some = slow.Received<Position>();
        Assert.InRange(some.Count, 1, all.Count - 1);
        Assert.True(harness.Server.Metrics.ReadAll().Get("playchat.frames.replaced") > 0);
        Assert.Equal(Newest(all), Newest(some));
        Assert.Equal(runners[0].Received<ArenaEvent>(), slow.Received<ArenaEvent>());
    }

    [Fact]
    public async Task A_coin_goes_to_who_runs_over_it_and_another_one_lies_elsewhere()
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        long id = (await JoinAsync(harness, ann, new Join("ann"))).PlayerId;
        Cell coin = Assert.Single(ann.Received<ArenaState>()).Coin;

        await RunToAsync(harness, ann, id, coin);

        ArenaEvent scored = ann.Received<ArenaEvent>().First(static happened => happened.Kind == ArenaEventKind.Scored);
        Assert.Equal((id, 1), (scored.Player.Id, scored.Player.Score));
        Assert.NotEqual(coin, scored.Coin);
    }

    [Fact]
    public async Task A_player_that_comes_back_in_time_has_its_place_and_its_score()
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        HarnessClient bob = await harness.ConnectAsync();
        JoinAnswer answer = await JoinAsync(harness, ann, new Join("ann"));
        await JoinAsync(harness, bob, new Join("bob"));
        await RunToAsync(harness, ann, answer.PlayerId, Assert.Single(ann.Received<ArenaState>()).Coin);
        bob.Forget();

        ann.Break();
        await harness.AdvanceAsync(ArenaRules.SeatKept - s_second);
        HarnessClient again = await harness.ConnectAsync();
        JoinAnswer back = await ResumeAsync(harness, again, answer.Token);
        await harness.AdvanceAsync(2 * ArenaRules.SeatKept);

        Assert.Equal(answer.PlayerId, back.PlayerId);
        ArenaEvent[] heard = [.. bob.Received<ArenaEvent>()];
        Assert.Equal([ArenaEventKind.Away, ArenaEventKind.Returned], heard.Select(static happened => happened.Kind));
        Assert.True(heard[0].Player.IsAway);
        Assert.Equal(heard[0].Player with { IsAway = false }, PlayerOf(again, back.PlayerId));
        Assert.Equal(1, PlayerOf(again, back.PlayerId).Score);
    }

    [Fact]
    public async Task A_seat_is_lost_when_its_player_has_been_away_for_10_seconds()
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        HarnessClient bob = await harness.ConnectAsync();
        JoinAnswer answer = await JoinAsync(harness, ann, new Join("ann"));
        await JoinAsync(harness, bob, new Join("bob"));
        bob.Forget();

        ann.Break();
        await harness.AdvanceAsync(TimeSpan.FromSeconds(10) - TimeSpan.FromMilliseconds(1));
        Assert.Equal([ArenaEventKind.Away], bob.Received<ArenaEvent>().Select(static happened => happened.Kind));
        await harness.AdvanceAsync(TimeSpan.FromMilliseconds(2));

        Assert.Equal([ArenaEventKind.Away, ArenaEventKind.Left], bob.Received<ArenaEvent>().Select(static happened => happened.Kind));
        HarnessClient late = await harness.ConnectAsync();
        Assert.NotNull((await ResumeAsync(harness, late, answer.Token)).Refusal);
        Assert.Equal(late.Session.Id, (await JoinAsync(harness, late, new Join("ann"))).PlayerId);
    }

    [Fact]
    public async Task A_client_that_noticed_the_break_before_the_server_takes_its_seat_over()
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        HarnessClient bob = await harness.ConnectAsync();
        JoinAnswer answer = await JoinAsync(harness, ann, new Join("ann"));
        await JoinAsync(harness, bob, new Join("bob"));
        Connection former = ann.Session.Connection;
        bob.Forget();

        HarnessClient again = await harness.ConnectAsync();
        JoinAnswer back = await ResumeAsync(harness, again, answer.Token);

        Assert.Equal(answer.PlayerId, back.PlayerId);
        Assert.Equal(CloseReason.TakenOver, await former.Closed.WaitAsync(Hang.Guard));
        await harness.AdvanceAsync(2 * ArenaRules.SeatKept);
        Assert.Equal([ArenaEventKind.Away, ArenaEventKind.Returned], bob.Received<ArenaEvent>().Select(static happened => happened.Kind));
        Assert.Equal(2, harness.Room.MemberCount);
    }

    [Fact]
    public async Task A_client_whose_answer_was_lost_comes_back_with_the_token_that_it_has()
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        JoinAnswer answer = await JoinAsync(harness, ann, new Join("ann"));

        ann.Break();
        HarnessClient lost = await harness.ConnectAsync();
        JoinAnswer unseen = await ResumeAsync(harness, lost, answer.Token);
        lost.Break();
        HarnessClient again = await harness.ConnectAsync();
        JoinAnswer back = await ResumeAsync(harness, again, answer.Token);

        Assert.NotEqual(answer.Token.ToArray(), unseen.Token.ToArray());
        Assert.Equal((answer.PlayerId, null), (back.PlayerId, back.Refusal));
    }

    [Fact]
    public async Task A_player_that_is_away_keeps_its_place_in_a_full_arena_and_stands_still()
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync(maxPlayers: 2);
        HarnessClient ann = await harness.ConnectAsync();
        HarnessClient bob = await harness.ConnectAsync();
        HarnessClient cyd = await harness.ConnectAsync();
        await JoinAsync(harness, ann, new Join("ann"));
        await JoinAsync(harness, bob, new Join("bob"));
        ann.SendPacket(new Steer(1, 0));
        await harness.IdleAsync();
        bob.Forget();

        ann.Break();
        await harness.AdvanceAsync(ArenaRules.SeatKept - s_second);
        JoinAnswer early = await JoinAsync(harness, cyd, new Join("cyd"));
        await harness.AdvanceAsync(s_second);
        JoinAnswer late = await JoinAsync(harness, cyd, new Join("cyd"));

        Assert.NotNull(early.Refusal);
        Assert.Null(late.Refusal);
        Assert.Empty(bob.Received<Position>());
    }

    [Fact]
    public async Task A_player_that_says_goodbye_leaves_at_once()
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        HarnessClient bob = await harness.ConnectAsync();
        await JoinAsync(harness, ann, new Join("ann"));
        await JoinAsync(harness, bob, new Join("bob"));
        bob.Forget();

        ann.SendPacket(new Goodbye());
        await harness.IdleAsync();

        Assert.Equal([ArenaEventKind.Left], bob.Received<ArenaEvent>().Select(static happened => happened.Kind));
        Assert.Equal(1, harness.Room.MemberCount);
    }

    [Fact]
    public async Task A_struct_of_another_length_ends_the_connection()
    {
        await using RoomHarness<ArenaRoom> harness = await StartAsync();
        HarnessClient ann = await harness.ConnectAsync();
        await JoinAsync(harness, ann, new Join("ann"));

        ann.Send([1, 2, 3], new FrameHeader((ushort)ArenaPacketId.Steer));
        await harness.IdleAsync();

        Assert.Equal(CloseReason.ProtocolViolation, await ann.Session.Connection.Closed.WaitAsync(Hang.Guard));
    }

    private static Task<RoomHarness<ArenaRoom>> StartAsync(int maxPlayers = ArenaRules.MaxPlayers) => RoomHarness.StartAsync(
        static context => new ArenaRoom(context),
        ArenaPackets.All,
        server => server.UseArena().UseSeed(1).Options.Rooms.MaxMembers = maxPlayers,
        settings: new RoomSettings { Name = ArenaRoom.Title });

    private static Task<JoinAnswer> JoinAsync(RoomHarness<ArenaRoom> harness, HarnessClient client, Join join) =>
        AskAsync(harness, client, join);

    private static Task<JoinAnswer> ResumeAsync(RoomHarness<ArenaRoom> harness, HarnessClient client, ReadOnlyMemory<byte> token) =>
        AskAsync(harness, client, new Resume(token));

    private static async Task<JoinAnswer> AskAsync<TRequest>(RoomHarness<ArenaRoom> harness, HarnessClient client, TRequest request)
    {
        client.SendPacket(request, requestId: 1);
        await harness.IdleAsync();
        return client.Received<JoinAnswer>()[^1];
    }

    private static PlayerState PlayerOf(HarnessClient client, long id) =>
        client.Received<ArenaState>()[^1].Players.Single(player => player.Id == id);

    private static Dictionary<long, Position> Newest(IReadOnlyList<Position> positions) =>
        positions.GroupBy(static position => position.PlayerId).ToDictionary(static group => group.Key, static group => group.Last());

    /// <summary>Runs until somebody has taken the coin, and stands still there.</summary>
    private static async Task RunToAsync(RoomHarness<ArenaRoom> harness, HarnessClient client, long id, Cell coin)
    {
        PlayerState start = PlayerOf(client, id);
        Position at = new(id, start.X, start.Y);
        for (int ticks = 0; !client.Received<ArenaEvent>().Any(static happened => happened.Kind == ArenaEventKind.Scored); ticks++)
        {
            Assert.True(ticks < 200, "The coin was not reached within 10 seconds.");
            client.SendPacket(new Steer((sbyte)Math.Sign(coin.X - (int)at.X), (sbyte)Math.Sign(coin.Y - (int)at.Y)));
            await harness.AdvanceAsync(s_second / ArenaRules.Hertz);
            at = client.Received<Position>().LastOrDefault(at);
        }

        client.SendPacket(new Steer(0, 0));
        await harness.AdvanceAsync(s_second / ArenaRules.Hertz);
    }
}
