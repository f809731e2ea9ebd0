using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;
using static PlayChat.Core.Tests.Dispatch.TextPackets;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class RateLimitTests
{
    private readonly List<string> _log = [];

    [Fact]
    public async Task So_many_at_once_and_then_as_the_bucket_fills()
    {
        await using RoomHarness<Room> harness = await StartAsync(
            router => router.MapPacket<string>((_, text) => _log.Add(text)).RateLimit(4, perSeconds: 2));
        HarnessClient client = await harness.ConnectAsync();

        await SayAsync(harness, client, 6);
        Assert.Equal(4, _log.Count);
        await harness.AdvanceAsync(TimeSpan.FromMilliseconds(499));
        await SayAsync(harness, client, 1);
        Assert.Equal(4, _log.Count);
        await harness.AdvanceAsync(TimeSpan.FromMilliseconds(1));
        await SayAsync(harness, client, 2);
        Assert.Equal(5, _log.Count);
        await harness.AdvanceAsync(TimeSpan.FromMinutes(1));
        await SayAsync(harness, client, 10);

        Assert.Equal(9, _log.Count);
        Assert.Equal(10, harness.Figures().RateLimitedPackets);
        Assert.True(client.Session.Connection.IsOpen);
    }

    [Fact]
    public async Task A_route_s_limit_is_its_own_and_a_connection_s()
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.MapPacket<string>((_, _) => _log.Add("text")).RateLimit(1);
            router.MapPacket<long>((_, _) => _log.Add("number")).RateLimit(2);
        });
        HarnessClient[] clients = await harness.ConnectAsync(2);

        await SayAsync(harness, clients[0], 2);
        for (int i = 0; i < 3; i++)
        {
            await harness.SayNumberAsync(clients[0]);
        }

        await SayAsync(harness, clients[1], 1);

        Assert.Equal(["text", "number", "number", "text"], _log);
    }

    [Fact]
    public async Task The_router_s_limit_counts_unknown_and_malformed_packets_before_anything_sees_them()
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.RateLimit(3).AddFilter(new RecordingFilter("1", _log));
            router.OnUnknown = _ => _log.Add("unknown");
            router.OnMalformed = _ => _log.Add("malformed");
            router.MapPacket<string>((_, text) => _log.Add(text));
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 1000, "x");
        await harness.SayAsync(client, 7, "");
        await SayAsync(harness, client, 2);

        Assert.Equal(["1 in ?", "unknown", "1 done", "1 in TEXT_7", "malformed", "1 done", "1 in TEXT_7", "a", "1 done"], _log);
    }

    [Fact]
    public async Task The_router_s_limit_can_be_set_and_changed_while_it_runs()
    {
        PacketRouter router = null!;
        await using RoomHarness<Room> harness = await StartAsync(r =>
        {
            router = r;
            r.MapPacket<string>((_, text) => _log.Add(text));
        });
        HarnessClient client = await harness.ConnectAsync();
        await SayAsync(harness, client, 3);
        Assert.Equal(3, _log.Count);

        router.RateLimit(1);
        await SayAsync(harness, client, 3);
        Assert.Equal(4, _log.Count);
        router.RateLimit(1000, perSeconds: 0.5); // in other units, and each bucket is full
        await SayAsync(harness, client, 10);
        Assert.Equal(14, _log.Count);
        router.RateLimit(2, perSeconds: 10);
        await SayAsync(harness, client, 3);

        Assert.Equal(16, _log.Count);
        router.RateLimit(2, perSeconds: 10); // the same: no bucket is full again
        await SayAsync(harness, client, 1);
        Assert.Equal(16, _log.Count);
        router.RateLimit(0);
        await SayAsync(harness, client, 3);

        Assert.Equal(19, _log.Count);
        Assert.Equal(4, harness.Figures().RateLimitedPackets);
    }

    [Fact]
    public async Task A_route_s_limit_counts_before_the_login_is_asked_for()
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.OnLoginRequired = _ => _log.Add("log in");
            router.OnRateLimited = _ => _log.Add("slowly");
            router.MapPacket<string>((_, _) => { }).RequireLogin().RateLimit(1);
        });
        HarnessClient client = await harness.ConnectAsync();

        await SayAsync(harness, client, 2);

        Assert.Equal(["log in", "slowly"], _log);
    }

    [Fact]
    public async Task Who_goes_on_is_closed_as_RateLimited()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router =>
        {
            router.MaxRateLimitedInRow = 3;
            router.OnRateLimited = static context => context.Reply($"slowly {context.PacketId}");
            router.MapPacket<string>(static (_, _) => { }).RateLimit(1);
        });
        HarnessClient client = await harness.ConnectAsync();

        await SayAsync(harness, client, 3);
        await harness.AdvanceAsync(TimeSpan.FromSeconds(1));
        await SayAsync(harness, client, 3); // the first is let through: the row begins anew
        Assert.True(client.Session.Connection.IsOpen);
        await SayAsync(harness, client, 1);

        Assert.Equal(CloseReason.RateLimited, client.Session.Connection.CloseReason);
        Assert.Equal(["slowly 7", "slowly 7", "slowly 7", "slowly 7"], client.Received<string>());
        Assert.Equal(5, harness.Figures().RateLimitedPackets);
    }

    [Fact]
    public async Task Nothing_is_let_through_when_one_limit_lets_through_what_the_other_refuses()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router =>
        {
            router.MaxRateLimitedInRow = 2;
            router.RateLimit(100);
            router.MapPacket<string>(static (_, _) => { }).RateLimit(1);
        });
        HarnessClient client = await harness.ConnectAsync();

        await SayAsync(harness, client, 3);

        Assert.Equal(CloseReason.RateLimited, client.Session.Connection.CloseReason);
    }

    [Theory]
    [InlineData(30, 1, 10)]
    [InlineData(7, 1, 10)]
    [InlineData(1000, 86_400, 1_000_000_000)]
    public async Task Limits_that_are_finer_than_the_clock_are_as_they_were_asked_for(int count, double perSeconds, long frequency)
    {
        await using ConnectionHarness harness = ConnectionHarness.OnStub().Start();
        var limit = new RateLimit(RateLimitSetting.Of(count, perSeconds), 0, frequency);
        long now = 100 * 365L * 86_400 * frequency; // a clock that has run for long
        for (int round = 0; round < 3; round++)
        {
            int taken = 0;
            while (limit.TryTake(harness.Connection, limits: 1, now))
            {
                taken++;
            }

            Assert.Equal(count, taken);
            now += (long)(perSeconds * frequency);
        }
    }

    [Fact]
    public async Task A_route_s_settings_end_with_the_router_s_start()
    {
        PacketRouteBuilder route = null!;
        await using RoomHarness<Room> harness = await StartAsync(router => route = router.MapPacket<string>(static (_, _) => { }));

        Assert.Throws<InvalidOperationException>(() => route.RateLimit(1));
        Assert.Throws<InvalidOperationException>(() => route.AddFilter(new RecordingFilter("1", _log)));
        Assert.Throws<InvalidOperationException>(() => route.RequireLogin());
        Assert.Throws<InvalidOperationException>(() => route.AllowBeforeLogin());
    }

    [Theory]
    [InlineData(-1, 1)]
    [InlineData(1_000_001, 1)]
    [InlineData(1, 0)]
    [InlineData(1, double.NaN)]
    [InlineData(1, 86_401)]
    public async Task A_limit_that_cannot_be_is_refused(int count, double perSeconds)
    {
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => StartAsync(router => router.RateLimit(count, perSeconds)));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            () => StartAsync(router => router.MapPacket<string>(static (_, _) => { }).RateLimit(count, perSeconds)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1_000_001)]
    public Task The_row_has_its_range(int count) =>
        Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => StartAsync(router => router.MaxRateLimitedInRow = count));

    private static Task SayAsync(RoomHarness<Room> harness, HarnessClient client, int times)
    {
        for (int i = 0; i < times; i++)
        {
            client.Say(7, "a");
        }

        return harness.IdleAsync();
    }
}
