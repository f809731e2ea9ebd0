using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class PacketFilterTests : IAsyncDisposable
{
    private readonly RouterHarness _harness = new();
    private readonly List<string> _log = [];

    private PacketRouter Router => _harness.Router;

    public ValueTask DisposeAsync() => _harness.DisposeAsync();

    [Fact]
    public void Filters_see_a_packet_in_their_order_and_its_answer_too()
    {
        Router.AddFilter(Filter("1")).AddFilter(Filter("2"));
        Router.MapPacket<string>((context, text) =>
        {
            _log.Add($"handler {text}");
            context.Reply("answer");
        }).AddFilter(Filter("3"));

        _harness.Receive(7, "a");

        Assert.Equal(
            ["1 in TEXT_7", "2 in TEXT_7", "3 in TEXT_7", "handler a", "1 out TEXT_7 answer", "2 out TEXT_7 answer", "3 done", "2 done", "1 done"], _log);
        Assert.Equal(["answer"], _harness.Answers());
    }

    [Fact]
    public void A_filter_of_one_route_does_not_see_the_others()
    {
        Router.MapPacket<string>((_, _) => { }).AddFilter(Filter("1"));
        Router.MapPacket<long>((_, number) => _log.Add($"number {number}"));

        _harness.Receive(8, new byte[8]);

        Assert.Equal(["number 0"], _log);
    }

    [Fact]
    public void A_filter_ends_the_way_of_a_packet_by_not_going_on()
    {
        Router.AddFilter(new RecordingFilter("1", _log)
        {
            OnReceive = static packet =>
            {
                packet.Context.Connection.Send(new TextPacket(9), "stopped");
                return default;
            },
        });
        Router.AddFilter(Filter("2"));
        Router.MapPacket<string>(static (_, _) => Assert.Fail("The packet was stopped."));

        _harness.Receive(7, "a");

        Assert.Equal(["1 in TEXT_7", "1 out TEXT_9 stopped", "2 out TEXT_9 stopped", "1 done"], _log);
        Assert.Equal(["stopped"], _harness.Answers());
    }

    [Fact]
    public void Filters_see_what_nobody_handles_and_what_cannot_be_read()
    {
        List<object?> messages = [];
        Router.AddFilter(new RecordingFilter("1", _log)
        {
            OnReceive = packet =>
            {
                messages.Add(packet.Message);
                return packet.NextAsync();
            },
        });
        Router.OnUnknown = context => _log.Add($"unknown {context.PacketId}");
        Router.OnMalformed = context => _log.Add($"malformed {context.PacketId}");
        Router.MapPacket<string>(static (_, _) => Assert.Fail("It is malformed."));

        _harness.Receive(1000, "x");
        _harness.Receive(7, "");

        Assert.Equal(["1 in ?", "unknown 1000", "1 done", "1 in TEXT_7", "malformed 7", "1 done"], _log);
        Assert.Equal([null, null], messages);
        Assert.Equal(1, _harness.Metrics.Read(Counter.UnknownPackets));
        Assert.Equal(1, _harness.Metrics.Read(Counter.ProtocolViolations));
    }

    [Fact]
    public void The_router_s_filters_see_a_packet_before_the_login_is_asked_for_and_the_route_s_after()
    {
        Router.AddFilter(Filter("1"));
        Router.MapPacket<string>(static (_, _) => { }).RequireLogin().AddFilter(Filter("2"));
        Router.OnLoginRequired = _ => _log.Add("log in");

        _harness.Receive(7, "a");
        _harness.LogIn();
        _harness.Receive(7, "a");

        Assert.Equal(["1 in TEXT_7", "log in", "1 done", "1 in TEXT_7", "2 in TEXT_7", "2 done", "1 done"], _log);
    }

    [Fact]
    public async Task A_filter_may_wait_before_and_after_and_the_next_packet_waits_as_well()
    {
        var before = new TaskCompletionSource();
        var handling = new TaskCompletionSource();
        Router.AddFilter(new RecordingFilter("1", _log)
        {
            OnReceive = async packet =>
            {
                await before.Task;
                Assert.Equal(packet.Context.PacketId == 7 ? "a" : 0L, packet.Message);
                await packet.NextAsync();
            },
        });
        Router.MapPacket<string>(async (_, text) =>
        {
            _log.Add($"handler {text}");
            await handling.Task;
        });
        Router.MapPacket<long>((_, _) => _log.Add("second"));

        _harness.Receive(7, "a");
        _harness.Receive(8, new byte[8]);
        Assert.Equal(["1 in TEXT_7"], _log);
        before.SetResult();
        await Eventually.TrueAsync(() => _log.Count == 2);
        handling.SetResult();

        await Eventually.TrueAsync(() => _log.Count == 6);
        Assert.Equal(["1 in TEXT_7", "handler a", "1 done", "1 in NUMBER_8", "second", "1 done"], _log);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Filters_hear_of_a_handler_that_fails_and_then_OnFault_does(bool waits)
    {
        Router.AddFilter(Filter("1"));
        Router.OnFault = (_, e) => _log.Add($"fault: {e.Message}");
        Router.MapPacket<string>(async (_, _) =>
        {
            if (waits)
            {
                await Task.Yield();
            }

            throw new FormatException("no");
        });

        _harness.Receive(7, "a");

        await Eventually.TrueAsync(() => _log.Count == 3);
        Assert.Equal(["1 in TEXT_7", "1 failed: no", "fault: no"], _log);
        Assert.Equal(1, _harness.Metrics.Read(Counter.HandlerFaults));
        Assert.True(_harness.Connection.IsOpen);
    }

    [Fact]
    public void Without_OnFault_a_filter_that_throws_closes_the_connection()
    {
        Router.AddFilter(new RecordingFilter("1", _log) { OnReceive = static _ => throw new InvalidOperationException() });

        _harness.Receive(1000, "a");

        Assert.Equal(CloseReason.HandlerFault, _harness.Connection.CloseReason);
        Assert.Equal(1, _harness.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public void Going_on_twice_is_refused()
    {
        Router.OnFault = (_, e) => _log.Add(e.GetType().Name);
        Router.AddFilter(new RecordingFilter("1", _log)
        {
            OnReceive = static async packet =>
            {
                await packet.NextAsync();
                await packet.NextAsync();
            },
        });
        Router.MapPacket<string>((_, _) => _log.Add("handler"));

        _harness.Receive(7, "a");

        Assert.Equal(["1 in TEXT_7", "handler", nameof(InvalidOperationException)], _log);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Going_on_again_does_not_pass_a_filter_that_refused_or_has_yet_to_say(bool waits)
    {
        var work = new TaskCompletionSource();
        Router.OnFault = (_, e) => _log.Add(e.GetType().Name);
        Router.AddFilter(new RecordingFilter("1", _log)
        {
            OnReceive = async packet =>
            {
                ValueTask first = packet.NextAsync();
                Assert.Equal(waits, !first.IsCompleted);
                await packet.NextAsync();
            },
        });
        Router.AddFilter(new RecordingFilter("2", _log) { OnReceive = _ => waits ? new ValueTask(work.Task) : default });
        Router.MapPacket<string>((_, _) => _log.Add("handler"));

        _harness.Receive(7, "a");

        Assert.DoesNotContain("handler", _log, StringComparer.Ordinal);
        Assert.Contains(nameof(InvalidOperationException), _log, StringComparer.Ordinal);
        work.SetResult();
        await Eventually.TrueAsync(() => _log.Contains("2 done", StringComparer.Ordinal));
    }

    [Fact]
    public void Sending_on_again_does_not_pass_a_filter_that_refused()
    {
        Router.AddFilter(new RecordingFilter("1", _log) { OnSending = static packet => packet.Next() || packet.Next() });
        Router.AddFilter(new RecordingFilter("2", _log) { OnSending = static _ => false });
        _harness.Start();

        Assert.Throws<InvalidOperationException>(() => _harness.Connection.SendPacket("a"));

        Assert.Empty(_harness.Answers());
    }

    [Fact]
    public async Task A_filter_that_goes_on_when_the_packet_has_ended_hears_of_it_and_moves_no_other_packet()
    {
        var late = new TaskCompletionSource();
        var stay = new TaskCompletionSource();
        Task? going = null;
        Router.AddFilter(new RecordingFilter("1", _log)
        {
            OnReceive = packet =>
            {
                if (going is null)
                {
                    _ = packet.NextAsync(); // does not wait for it
                    return default;
                }

                return new ValueTask(stay.Task); // the next packet
            },
        });
        Router.AddFilter(new RecordingFilter("2", _log)
        {
            OnReceive = packet =>
            {
                going = GoOnLaterAsync(packet);
                return new ValueTask(going);
            },
        });
        Router.MapPacket<string>((_, text) => _log.Add(text));

        _harness.Receive(7, "a");
        _harness.Receive(7, "b");
        late.SetResult();

        await Assert.ThrowsAsync<InvalidOperationException>(() => going!.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(["1 in TEXT_7", "2 in TEXT_7", "1 done", "1 in TEXT_7"], _log);
        stay.SetResult();

        async Task GoOnLaterAsync(IncomingPacket packet)
        {
            await late.Task;
            await packet.NextAsync();
        }
    }

    [Fact]
    public void A_filter_that_sees_one_direction_alone_costs_nothing_in_the_other()
    {
        Router.AddFilter(new RecordingFilter("in", _log) { IsForSent = false });
        _harness.Start();
        Assert.Null(Router.Outlet);

        _harness.Receive(1000, "a");

        Assert.Equal(["in in ?", "in done"], _log);
        Assert.Equal(1, Router.FilterCount);
    }

    [Fact]
    public void A_filter_of_what_is_sent_sees_nothing_that_is_received()
    {
        Router.AddFilter(new RecordingFilter("out", _log) { IsForReceived = false });
        Router.MapPacket<string>(static (context, text) => context.Reply(text));

        _harness.Receive(7, "a");

        Assert.Equal(["out out TEXT_7 a"], _log);
        Assert.Equal(0, Router.FilterCount);
    }

    [Fact]
    public void A_filter_stops_a_message_on_its_way_out()
    {
        List<int> recipients = [];
        Router.AddFilter(new RecordingFilter("1", _log)
        {
            OnSending = packet =>
            {
                recipients.Add(packet.Recipients);
                Assert.Same(_harness.Connection, packet.Connection);
                return packet.RequestId == 5 && packet.Next();
            },
        });
        _harness.Start();

        Assert.False(_harness.Connection.SendPacket("a"));
        Assert.True(_harness.Connection.SendPacket("b", requestId: 5));

        Assert.Equal([1, 1], recipients);
        Assert.Equal(["b"], _harness.Answers());
    }

    private RecordingFilter Filter(string name) => new(name, _log);
}
