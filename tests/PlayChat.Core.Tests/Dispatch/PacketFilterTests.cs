using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;
using static PlayChat.Core.Tests.Dispatch.TextPackets;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class PacketFilterTests
{
    private readonly List<string> _log = [];

    [Fact]
    public async Task Filters_see_a_packet_in_their_order_and_its_answer_too()
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.AddFilter(Filter("1")).AddFilter(Filter("2"));
            router.MapPacket<string>((context, text) =>
            {
                _log.Add($"handler {text}");
                context.Reply("answer");
            }).AddFilter(Filter("3"));
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(
            [
                "1 in TEXT_7", "2 in TEXT_7", "3 in TEXT_7", "handler a", "1 out TEXT_7 answer", "2 out TEXT_7 answer",
                "3 done", "2 done", "1 done",
            ],
            _log);
        Assert.Equal(["answer"], client.Received<string>());
    }

    [Fact]
    public async Task A_filter_of_one_route_does_not_see_the_others()
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.MapPacket<string>(static (_, _) => { }).AddFilter(Filter("1"));
            router.MapPacket<long>((_, number) => _log.Add($"number {number}"));
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayNumberAsync(client);

        Assert.Equal(["number 0"], _log);
    }

    [Fact]
    public async Task A_filter_ends_the_way_of_a_packet_by_not_going_on()
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.AddFilter(new RecordingFilter("1", _log)
            {
                OnReceive = static packet =>
                {
                    packet.Context.Connection.SendPacket("stopped", type: new TextPacket(9));
                    return default;
                },
            });
            router.AddFilter(Filter("2"));
            router.MapPacket<string>((_, _) => _log.Add("handler"));
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(["1 in TEXT_7", "1 out TEXT_9 stopped", "2 out TEXT_9 stopped", "1 done"], _log);
        Assert.Equal(["stopped"], client.Texts());
    }

    [Fact]
    public async Task Filters_see_what_nobody_handles_and_what_cannot_be_read()
    {
        List<object?> messages = [];
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.AddFilter(new RecordingFilter("1", _log)
            {
                OnReceive = packet =>
                {
                    messages.Add(packet.Message);
                    return packet.NextAsync();
                },
            });
            router.OnUnknown = context => _log.Add($"unknown {context.PacketId}");
            router.OnMalformed = context => _log.Add($"malformed {context.PacketId}");
            router.MapPacket<string>((_, _) => _log.Add("handler"));
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 1000, "x");
        await harness.SayAsync(client, 7, "");

        Assert.Equal(["1 in ?", "unknown 1000", "1 done", "1 in TEXT_7", "malformed 7", "1 done"], _log);
        Assert.Equal([null, null], messages);
        Assert.Equal((1, 1), (harness.Figures().UnknownPackets, harness.Figures().ProtocolViolations));
    }

    [Fact]
    public async Task The_router_s_filters_see_a_packet_before_the_login_is_asked_for_and_the_route_s_after()
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.AddFilter(Filter("1"));
            router.MapPacket<string>(static (_, _) => { }).RequireLogin().AddFilter(Filter("2"));
            router.OnLoginRequired = _ => _log.Add("log in");
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");
        harness.LogIn(client);
        await harness.SayAsync(client, 7, "a");

        Assert.Equal(["1 in TEXT_7", "log in", "1 done", "1 in TEXT_7", "2 in TEXT_7", "2 done", "1 done"], _log);
    }

    [Fact]
    public async Task A_filter_may_wait_before_and_after_and_the_next_packet_waits_as_well()
    {
        var before = new TaskCompletionSource();
        var handling = new TaskCompletionSource();
        List<object?> messages = [];
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.AddFilter(new RecordingFilter("1", _log)
            {
                OnReceive = async packet =>
                {
                    await before.Task;
                    messages.Add(packet.Message);
                    await packet.NextAsync();
                },
            });
            router.MapPacket<string>(async (_, text) =>
            {
                _log.Add($"handler {text}");
                await handling.Task;
            });
            router.MapPacket<long>((_, _) => _log.Add("second"));
        });
        HarnessClient client = await harness.ConnectAsync(new LinkConditions { Latency = TimeSpan.FromMilliseconds(1) });

        client.Say(7, "a");
        client.SendPacket(0L);
        harness.Time.Advance(TimeSpan.FromMilliseconds(1)); // both arrive at once
        await Eventually.TrueAsync(() => _log.Count == 1);
        before.SetResult();
        await Eventually.TrueAsync(() => _log.Count == 2);
        handling.SetResult();
        await harness.IdleAsync();

        Assert.Equal(["1 in TEXT_7", "handler a", "1 done", "1 in NUMBER_8", "second", "1 done"], _log);
        Assert.Equal(["a", 0L], messages);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Filters_hear_of_a_handler_that_fails_and_then_OnFault_does(bool waits)
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.AddFilter(Filter("1"));
            router.OnFault = (_, e) => _log.Add($"fault: {e.Message}");
            router.MapPacket<string>(async (_, _) =>
            {
                if (waits)
                {
                    await Task.Yield();
                }

                throw new FormatException("no");
            });
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(["1 in TEXT_7", "1 failed: no", "fault: no"], _log);
        Assert.Equal(1, harness.Figures().HandlerFaults);
        Assert.True(client.Session.Connection.IsOpen);
    }

    [Fact]
    public async Task Without_OnFault_a_filter_that_throws_closes_the_connection()
    {
        await using RoomHarness<Room> harness = await StartAsync(
            router => router.AddFilter(new RecordingFilter("1", _log) { OnReceive = static _ => throw new InvalidOperationException() }));
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 1000, "a");

        Assert.Equal(CloseReason.HandlerFault, client.Session.Connection.CloseReason);
        Assert.Equal(1, harness.Figures().HandlerFaults);
    }

    [Fact]
    public async Task Going_on_twice_is_refused()
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.OnFault = (_, e) => _log.Add(e.GetType().Name);
            router.AddFilter(new RecordingFilter("1", _log)
            {
                OnReceive = static async packet =>
                {
                    await packet.NextAsync();
                    await packet.NextAsync();
                },
            });
            router.MapPacket<string>((_, _) => _log.Add("handler"));
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(["1 in TEXT_7", "handler", nameof(InvalidOperationException)], _log);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Going_on_again_does_not_pass_a_filter_that_refused_or_has_yet_to_say(bool waits)
    {
        var work = new TaskCompletionSource();
        bool? hasSaid = null;
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.OnFault = (_, e) => _log.Add(e.GetType().Name);
            router.AddFilter(new RecordingFilter("1", _log)
            {
                OnReceive = async packet =>
                {
                    ValueTask first = packet.NextAsync();
                    hasSaid = first.IsCompleted;
                    await packet.NextAsync();
                },
            });
            router.AddFilter(new RecordingFilter("2", _log) { OnReceive = _ => waits ? new ValueTask(work.Task) : default });
            router.MapPacket<string>((_, _) => _log.Add("handler"));
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(!waits, hasSaid);
        Assert.DoesNotContain("handler", _log, StringComparer.Ordinal);
        Assert.Contains(nameof(InvalidOperationException), _log, StringComparer.Ordinal);
        work.SetResult();
        await Eventually.TrueAsync(() => _log.Contains("2 done", StringComparer.Ordinal));
        Assert.DoesNotContain("handler", _log, StringComparer.Ordinal);
    }

    [Fact]
    public async Task Sending_on_again_does_not_pass_a_filter_that_refused()
    {
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.AddFilter(new RecordingFilter("1", _log) { OnSending = static packet => packet.Next() || packet.Next() });
            router.AddFilter(new RecordingFilter("2", _log) { OnSending = static _ => false });
        });
        HarnessClient client = await harness.ConnectAsync();

        Assert.Throws<InvalidOperationException>(() => client.Session.Connection.SendPacket("a"));
        await harness.IdleAsync();

        Assert.Empty(client.Frames);
    }

    [Fact]
    public async Task A_filter_that_goes_on_when_the_packet_has_ended_hears_of_it_and_moves_no_other_packet()
    {
        var late = new TaskCompletionSource();
        var stay = new TaskCompletionSource();
        Task? going = null;
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.AddFilter(new RecordingFilter("1", _log)
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
            router.AddFilter(new RecordingFilter("2", _log)
            {
                OnReceive = packet =>
                {
                    going = GoOnLaterAsync(packet);
                    return new ValueTask(going);
                },
            });
            router.MapPacket<string>((_, text) => _log.Add(text));
        });
        HarnessClient client = await harness.ConnectAsync();

        client.Say(7, "a");
        client.Say(7, "b");
        await Eventually.TrueAsync(() => _log.Count == 4);
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
    public async Task A_filter_that_sees_one_direction_alone_costs_nothing_in_the_other()
    {
        PacketRouter? router = null;
        await using RoomHarness<Room> harness = await StartAsync(
            r => router = r.AddFilter(new RecordingFilter("in", _log) { IsForSent = false }));
        HarnessClient client = await harness.ConnectAsync();

        client.Session.Connection.SendPacket("a");
        await harness.SayAsync(client, 1000, "a");

        Assert.Equal(["in in ?", "in done"], _log);
        Assert.Equal((1, null), (router!.FilterCount, router.Outlet));
    }

    [Fact]
    public async Task A_filter_of_what_is_sent_sees_nothing_that_is_received()
    {
        PacketRouter? router = null;
        await using RoomHarness<Room> harness = await StartAsync(r =>
        {
            router = r.AddFilter(new RecordingFilter("out", _log) { IsForReceived = false });
            router.MapPacket<string>(static (context, text) => context.Reply(text));
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(["out out TEXT_7 a"], _log);
        Assert.Equal(0, router!.FilterCount);
    }

    [Fact]
    public async Task A_filter_stops_a_message_on_its_way_out()
    {
        List<(int Recipients, Connection? To)> seen = [];
        await using RoomHarness<Room> harness = await StartAsync(router => router.AddFilter(new RecordingFilter("1", _log)
        {
            OnSending = packet =>
            {
                seen.Add((packet.Recipients, packet.Connection));
                return packet.RequestId == 5 && packet.Next();
            },
        }));
        HarnessClient client = await harness.ConnectAsync();
        Connection connection = client.Session.Connection;

        Assert.False(connection.SendPacket("a"));
        Assert.True(connection.SendPacket("b", requestId: 5));
        await harness.IdleAsync();

        Assert.Equal([(1, connection), (1, connection)], seen);
        Assert.Equal(["b"], client.Received<string>());
    }

    private RecordingFilter Filter(string name) => new(name, _log);
}
