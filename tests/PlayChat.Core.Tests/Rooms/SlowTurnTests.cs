using Microsoft.Extensions.Logging;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Tests.Dispatch;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>A room that blocks is logged and counted.</summary>
public sealed class SlowTurnTests
{
    private static readonly TimeSpan s_tooLong = TimeSpan.FromMilliseconds(150);

    [Fact]
    public async Task A_job_a_timer_and_a_packet_that_block_are_named_with_their_room()
    {
        using var logger = new RecordingLogger();
        await using RoomHarness<AwayRoom> harness = await StartAsync(logger);
        HarnessClient client = await harness.ConnectAsync();
        await harness.Room.JoinAsync(client.Session);

        await harness.InTurnAsync(_ => harness.Time.Advance(s_tooLong));
        harness.Time.Advance(TimeSpan.FromSeconds(10)); // one line a room in this time
        client.SendPacket("block");
        await harness.IdleAsync();

        (LogLevel, string)[] lines =
            [.. logger.Entries.Where(static entry => entry.Event == "SlowStep").Select(static entry => (entry.Level, entry.Text))];
        Assert.All(lines, static line => Assert.Equal(LogLevel.Warning, line.Item1));
        Assert.Equal(2, lines.Length);
        Assert.StartsWith("A job (", lines[0].Item2, StringComparison.Ordinal);
        Assert.Contains("of room 1 (room) took 150 ms", lines[0].Item2, StringComparison.Ordinal);
        Assert.StartsWith("The handler of TEXT_7 of room 1 (room) took 150 ms", lines[1].Item2, StringComparison.Ordinal);
        Assert.Equal(2, harness.Server.Metrics.Read(Counter.SlowHandlers));
    }

    [Fact]
    public async Task A_room_that_blocks_again_and_again_gets_one_line_and_every_time_counts()
    {
        using var logger = new RecordingLogger();
        await using RoomHarness<AwayRoom> harness = await StartAsync(logger);

        for (int i = 0; i < 5; i++)
        {
            await harness.InTurnAsync(_ => harness.Time.Advance(s_tooLong));
        }

        harness.Time.Advance(TimeSpan.FromSeconds(10));
        await harness.InTurnAsync(_ => harness.Time.Advance(s_tooLong));

        Assert.Equal(6, harness.Server.Metrics.Read(Counter.SlowHandlers));
        string[] lines = [.. logger.Entries.Where(static entry => entry.Event == "SlowStep").Select(static entry => entry.Text)];
        Assert.Equal(2, lines.Length);
        Assert.EndsWith("4 such steps before it were not logged.", lines[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Many_short_jobs_are_no_slow_one()
    {
        using var logger = new RecordingLogger();
        await using RoomHarness<AwayRoom> harness = await StartAsync(logger);
        using (await HeldRoom.HoldAsync(harness.Room))
        {
            for (int i = 0; i < 10; i++)
            {
                Assert.True(harness.Room.Post(_ => harness.Time.Advance(TimeSpan.FromMilliseconds(50))));
            }
        }

        await harness.IdleAsync();

        Assert.Equal(0, harness.Server.Metrics.Read(Counter.SlowHandlers));
    }

    [Fact]
    public async Task A_turn_that_does_not_end_is_logged_once_while_it_runs()
    {
        using var logger = new RecordingLogger();
        await using RoomHarness<AwayRoom> harness = await StartAsync(logger);
        string[] during = [];

        await harness.InTurnAsync(_ =>
        {
            for (int i = 0; i < 5; i++)
            {
                harness.Time.Advance(HandlerWatchdog.PoolPatience);
            }

            during = [.. logger.Entries.Where(static entry => entry.Event == "TurnBlocks").Select(static entry => entry.Text)];
        });

        Assert.StartsWith("A turn of room 1 (room) has blocked the thread", Assert.Single(during), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_handler_of_a_connection_that_blocks_is_named_with_its_packet()
    {
        using var logger = new RecordingLogger();
        RoomHarness<Room>? harness = null;
        PacketSet packets = new PacketSet().Add(new TextPacket(7));
        harness = await RoomHarness.StartAsync(
            packets, router => router.MapPacket<string>((_, _) => harness!.Time.Advance(s_tooLong)), server => server.UseLogging(logger));
        await using RoomHarness<Room> disposed = harness;
        HarnessClient client = await harness.ConnectAsync();

        client.SendPacket("block");
        await harness.IdleAsync();

        (LogLevel level, _, string line) = Assert.Single(logger.Entries, static entry => entry.Event == "SlowHandler");
        Assert.Equal(LogLevel.Warning, level);
        Assert.Contains("the last one with packet id 7, took 150 ms", line, StringComparison.Ordinal);
        Assert.Equal(1, harness.Server.Metrics.Read(Counter.SlowHandlers));
    }

    private static Task<RoomHarness<AwayRoom>> StartAsync(RecordingLogger logger)
    {
        RoomHarness<AwayRoom>? made = null;
        PacketSet packets = new PacketSet().Add(new TextPacket(7));
        return StartedAsync();

        async Task<RoomHarness<AwayRoom>> StartedAsync() => made = await RoomHarness.StartAsync(
            static context => new AwayRoom(context),
            packets,
            server => server.UseLogging(logger).OnPackets(router => router.MapRoomPacket<AwayRoom, TestMember, string>(
                (_, _, _, _) => made!.Time.Advance(s_tooLong))));
    }
}
