using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class RateLimitTests : IAsyncDisposable
{
    private readonly RouterHarness _harness = new();
    private readonly List<string> _log = [];

    private PacketRouter Router => _harness.Router;

    public ValueTask DisposeAsync() => _harness.DisposeAsync();

    [Fact]
    public void So_many_at_once_and_then_as_the_bucket_fills()
    {
        Router.MapPacket<string>((_, text) => _log.Add(text)).RateLimit(4, perSeconds: 2);

        Receive(6);
        Assert.Equal(4, _log.Count);
        _harness.Time.Advance(TimeSpan.FromMilliseconds(499));
        Receive(1);
        Assert.Equal(4, _log.Count);
        _harness.Time.Advance(TimeSpan.FromMilliseconds(1));
        Receive(2);
        Assert.Equal(5, _log.Count);
        _harness.Time.Advance(TimeSpan.FromHours(1));
        Receive(10);

        Assert.Equal(9, _log.Count);
        Assert.Equal(10, _harness.Metrics.Read(Counter.RateLimitedPackets));
        Assert.True(_harness.Connection.IsOpen);
    }

    [Fact]
    public void A_route_s_limit_is_its_own()
    {
        Router.MapPacket<string>((_, _) => _log.Add("text")).RateLimit(1);
        Router.MapPacket<long>((_, _) => _log.Add("number")).RateLimit(2);

        Receive(2);
        _harness.Receive(8, new byte[8]);
        _harness.Receive(8, new byte[8]);
        _harness.Receive(8, new byte[8]);

        Assert.Equal(["text", "number", "number"], _log);
    }

    [Fact]
    public void The_router_s_limit_counts_unknown_and_malformed_packets_before_anything_sees_them()
    {
        Router.RateLimit(3).AddFilter(new RecordingFilter("1", _log));
        Router.OnUnknown = _ => _log.Add("unknown");
        Router.OnMalformed = _ => _log.Add("malformed");
        Router.MapPacket<string>((_, text) => _log.Add(text));

        _harness.Receive(1000, "x");
        _harness.Receive(7, "");
        Receive(2);

        Assert.Equal(["1 in ?", "unknown", "1 done", "1 in TEXT_7", "malformed", "1 done", "1 in TEXT_7", "a", "1 done"], _log);
    }

    [Fact]
    public void A_route_s_limit_counts_before_the_login_is_asked_for()
    {
        Router.OnLoginRequired = _ => _log.Add("log in");
        Router.OnRateLimited = _ => _log.Add("slowly");
        Router.MapPacket<string>((_, _) => { }).RequireLogin().RateLimit(1);

        Receive(2);

        Assert.Equal(["log in", "slowly"], _log);
    }

    [Fact]
    public void Who_goes_on_is_closed_as_RateLimited()
    {
        Router.MaxRateLimitedInRow = 3;
        Router.OnRateLimited = context => context.Reply($"slowly {context.PacketId}");
        Router.MapPacket<string>((_, _) => { }).RateLimit(1);

        Receive(3);
        _harness.Time.Advance(TimeSpan.FromSeconds(1));
        Receive(3); // the first is let through: the row begins anew
        Assert.True(_harness.Connection.IsOpen);
        Receive(1);

        Assert.Equal(CloseReason.RateLimited, _harness.Connection.CloseReason);
        Assert.Equal(["slowly 7", "slowly 7", "slowly 7", "slowly 7"], _harness.Answers());
        Assert.Equal(5, _harness.Metrics.Read(Counter.RateLimitedPackets));
    }

    [Fact]
    public void Nothing_is_let_through_when_one_limit_lets_through_what_the_other_refuses()
    {
        Router.MaxRateLimitedInRow = 2;
        Router.RateLimit(100);
        Router.MapPacket<string>((_, _) => { }).RateLimit(1);

        Receive(3);

        Assert.Equal(CloseReason.RateLimited, _harness.Connection.CloseReason);
    }

    [Theory]
    [InlineData(30, 1, 10)]
    [InlineData(7, 1, 10)]
    [InlineData(1000, 86_400, 1_000_000_000)]
    public void Limits_that_are_finer_than_the_clock_are_as_they_were_asked_for(int count, double perSeconds, long frequency)
    {
        var limit = new RateLimit(RateLimitSetting.Of(count, perSeconds), 0, frequency);
        long now = 100 * 365L * 86_400 * frequency; // a clock that has run for long
        for (int round = 0; round < 3; round++)
        {
            int taken = 0;
            while (limit.TryTake(_harness.Connection, limits: 1, now))
            {
                taken++;
            }

            Assert.Equal(count, taken);
            now += (long)(perSeconds * frequency);
        }
    }

    [Fact]
    public void A_route_s_settings_end_with_the_router_s_start()
    {
        PacketRouteBuilder route = Router.MapPacket<string>((_, _) => { });
        _harness.Start();

        Assert.Throws<InvalidOperationException>(() => route.RateLimit(1));
        Assert.Throws<InvalidOperationException>(() => route.AddFilter(new RecordingFilter("1", _log)));
        Assert.Throws<InvalidOperationException>(() => route.RequireLogin());
        Assert.Throws<InvalidOperationException>(() => route.AllowBeforeLogin());
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1_000_001, 1)]
    [InlineData(1, 0)]
    [InlineData(1, double.NaN)]
    [InlineData(1, 86_401)]
    public void A_limit_that_cannot_be_is_refused(int count, double perSeconds)
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => Router.RateLimit(count, perSeconds));
        Assert.Throws<ArgumentOutOfRangeException>(() => Router.MapPacket<string>((_, _) => { }).RateLimit(count, perSeconds));
    }

    [Fact]
    public void The_row_has_its_range()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => Router.MaxRateLimitedInRow = 0);
        Assert.Throws<ArgumentOutOfRangeException>(() => Router.MaxRateLimitedInRow = 1_000_001);
    }

    private void Receive(int times)
    {
        for (int i = 0; i < times; i++)
        {
            _harness.Receive(7, "a");
        }
    }
}
