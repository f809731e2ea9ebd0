using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;
using static PlayChat.Core.Tests.Dispatch.TextPackets;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class PacketRouterTests
{
    [Fact]
    public async Task A_function_an_object_and_a_class_with_services_handle_a_packet()
    {
        await using RoomHarness<Room> harness = await StartAsync(
            static router =>
            {
                router.MapPacket(new TextPacket(200), static (context, text) => context.Reply(text + "1", Hello));
                router.MapPacket(new TextPacket(8), new GreetingHandler(new Greeting("Hi")).HandleAsync);
                router.MapPacket<string, GreetingHandler>();
                router.MapPacket(new TextPacket(9), static async (context, text, token) =>
                {
                    await Task.CompletedTask.WaitAsync(token);
                    context.Reply(text + "4", Hello);
                });
            },
            static server => server.UseServices(new ServiceProviderStub(new Greeting("Hello"))));
        HarnessClient client = await harness.ConnectAsync();

        client.Say(200, "a");
        client.Say(8, "b");
        client.Say(7, "c");
        client.Say(9, "d");
        await harness.IdleAsync();

        Assert.Equal(["a1", "Hi b", "Hello c", "d4"], client.Texts());
    }

    [Fact]
    public async Task An_answer_carries_the_request_id()
    {
        await using RoomHarness<Room> harness = await StartAsync(
            static router => router.MapPacket(Hello, static (context, text) => context.Reply(text, Hello)));
        HarnessClient client = await harness.ConnectAsync();

        client.SendPacket("a", requestId: 513);
        await harness.IdleAsync();

        Assert.Equal(new FrameHeader(7, RequestId: 513), Assert.Single(client.Frames).Header);
        Assert.Equal(["a"], client.Texts());
        Assert.Equal("b", await client.RequestAsync<string>("b"));
    }

    [Fact]
    public async Task A_packet_that_needs_a_login_is_answered_where_the_router_says_so()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router =>
        {
            router.RequireLogin = true;
            router.MapPacket(Hello, static (_, _) => Assert.Fail("Nobody has logged in."));
            router.OnLoginRequired = static context => context.Reply("log in first", Hello);
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(["log in first"], client.Texts());
        Assert.True(client.Session.Connection.IsOpen);
    }

    [Fact]
    public async Task A_packet_that_needs_a_login_closes_and_is_handled_after_it()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router =>
        {
            router.RequireLogin = true;
            router.MapPacket(Hello, static (context, text) => context.Reply(text, Hello));
        });
        HarnessClient[] clients = await harness.ConnectAsync(2);
        harness.LogIn(clients[1]);

        await harness.SayAsync(clients[0], 7, "a");
        await harness.SayAsync(clients[1], 7, "b");

        Assert.Equal(CloseReason.LoginRequired, clients[0].Session.Connection.CloseReason);
        Assert.Empty(clients[0].Frames);
        Assert.Equal(["b"], clients[1].Texts());
    }

    [Fact]
    public async Task A_packet_for_before_login_is_handled_for_an_anonymous_session()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router =>
        {
            router.RequireLogin = true;
            router.MapPacket(Hello, static (context, text) => context.Reply(text, Hello)).AllowBeforeLogin();
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(["a"], client.Texts());
    }

    [Fact]
    public async Task One_packet_may_need_a_login_where_the_others_do_not()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router =>
        {
            router.MapPacket(Hello, static (context, text) => context.Reply(text, Hello));
            router.MapPacket(new TextPacket(8), static (_, _) => Assert.Fail("Nobody has logged in.")).RequireLogin();
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");
        await harness.SayAsync(client, 8, "a");

        Assert.Equal(["a"], client.Texts());
        Assert.Equal(CloseReason.LoginRequired, client.Session.Connection.CloseReason);
    }

    [Theory]
    [InlineData((ushort)8, CloseReason.UnknownPacket)]
    [InlineData((ushort)65_534, CloseReason.UnknownPacket)]
    [InlineData((ushort)7, CloseReason.ProtocolViolation)]
    public async Task An_unknown_or_malformed_packet_closes(ushort id, CloseReason reason)
    {
        await using RoomHarness<Room> harness = await StartAsync(static router => router.MapPacket(Hello, static (_, _) => { }));
        HarnessClient client = await harness.ConnectAsync();
        harness.LogIn(client);

        await harness.SayAsync(client, id, "");

        Assert.Equal(reason, client.Session.Connection.CloseReason);
    }

    [Fact]
    public async Task An_unknown_or_malformed_packet_is_answered_after_login_alone()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router =>
        {
            router.MapPacket(Hello, static (_, _) => { });
            router.OnUnknown = static context => context.Reply($"unknown {context.PacketId}", Hello);
            router.OnMalformed = static context => context.Reply($"malformed {context.PacketId}", Hello);
        });
        HarnessClient client = await harness.ConnectAsync();
        harness.LogIn(client);

        await harness.SayAsync(client, 8, "x");
        await harness.SayAsync(client, 7, "");

        Assert.Equal(["unknown 8", "malformed 7"], client.Texts());
        Assert.Equal((1, 1), (harness.Figures().UnknownPackets, harness.Figures().ProtocolViolations));
    }

    [Fact]
    public async Task A_stranger_gets_no_second_try()
    {
        bool answered = false;
        await using RoomHarness<Room> harness = await StartAsync(router =>
        {
            router.RequireLogin = true;
            router.OnUnknown = _ => answered = true;
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 8, "x");

        Assert.Equal(CloseReason.UnknownPacket, client.Session.Connection.CloseReason);
        Assert.False(answered);
    }

    [Fact]
    public async Task OnFault_answers_for_a_handler_that_throws_and_the_session_goes_on()
    {
        var logger = new RecordingLogger();
        await using RoomHarness<Room> harness = await StartAsync(
            static router =>
            {
                router.OnFault = static (context, e) => context.Reply(e.Message, Hello);
                router.MapPacket(Hello, static (_, _) => throw new InvalidOperationException("sync"));
                router.MapPacket(new TextPacket(8), static async (_, _, _) =>
                {
                    await Task.Yield();
                    throw new InvalidOperationException("async");
                });
            },
            server => server.UseLogging(logger));
        HarnessClient client = await harness.ConnectAsync();

        client.Say(7, "a");
        client.Say(8, "a");
        await harness.IdleAsync();

        Assert.Equal(["sync", "async"], client.Texts());
        Assert.True(client.Session.Connection.IsOpen);
        Assert.Equal(2, logger.Count("HandlerFault"));
        Assert.Equal(2, harness.Figures().HandlerFaults);
    }

    [Fact]
    public async Task Without_OnFault_a_handler_that_throws_closes_its_session()
    {
        await using RoomHarness<Room> harness = await StartAsync(
            static router => router.MapPacket(Hello, static (_, _) => throw new InvalidOperationException("sync")));
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(CloseReason.HandlerFault, client.Session.Connection.CloseReason);
        Assert.Equal(1, harness.Figures().HandlerFaults);
    }

    [Fact]
    public async Task An_id_that_is_mapped_twice_is_refused_with_both_names()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(static () => StartAsync(static router =>
        {
            router.MapPacket(Hello, static (_, _) => { });
            router.MapPacket(new TextPacket(7), static (_, _) => { });
        }));

        Assert.Equal(
            $"Packet id 7 (TEXT_7) is mapped twice, both times to a lambda in PacketRouterTests.{nameof(
                An_id_that_is_mapped_twice_is_refused_with_both_names)}: map it once.",
            e.Message);
    }

    [Fact]
    public async Task A_class_that_cannot_be_made_is_refused()
    {
        InvalidOperationException bare = await Assert.ThrowsAsync<InvalidOperationException>(
            static () => StartAsync(static router => router.MapPacket<string, GreetingHandler>()));
        InvalidOperationException scoped = await Assert.ThrowsAsync<InvalidOperationException>(
            static () => StartAsync(static router => router.MapPacket<string, GreetingHandler>(scoped: true)));

        Assert.Contains(nameof(Greeting), bare.Message, StringComparison.Ordinal);
        Assert.Contains("UseServices", scoped.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_class_is_made_once()
    {
        await using RoomHarness<Room> harness = await StartAsync(
            static router => Assert.Same(router.GetHandler<GreetingHandler>(), router.GetHandler<GreetingHandler>()),
            static server => server.UseServices(new ServiceProviderStub(new Greeting("Hello"))));
    }

    [Fact]
    public async Task A_started_router_is_not_changed()
    {
        PacketRouter? router = null;
        await using RoomHarness<Room> harness = await StartAsync(r => router = r);

        Assert.Throws<InvalidOperationException>(() => router!.MapPacket(Hello, static (_, _) => { }));
    }

    [Fact]
    public async Task An_async_lambda_of_two_parameters_is_awaited()
    {
        var goOn = new TaskCompletionSource();
        List<string> log = [];
        await using RoomHarness<Room> harness = await StartAsync(router => router.MapPacket(Hello, async (_, text) =>
        {
            log.Add($"{text} begins");
            await goOn.Task;
            log.Add($"{text} ends");
        }));
        HarnessClient client = await harness.ConnectAsync(new LinkConditions { Latency = TimeSpan.FromMilliseconds(1) });

        client.Say(7, "a");
        client.Say(7, "b");
        harness.Time.Advance(TimeSpan.FromMilliseconds(1)); // both arrive at once
        await Eventually.TrueAsync(() => log.Count > 0);
        goOn.SetResult();
        await harness.IdleAsync();

        Assert.Equal(["a begins", "a ends", "b begins", "b ends"], log);
    }

    [Fact]
    public async Task A_packet_is_mapped_by_its_message_or_its_id_and_answered_by_the_message()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router =>
        {
            router.MapPacket<string>(static (context, text) => context.Connection.SendPacket(text + "1", context.RequestId));
            router.MapPacket<long>(static (_, _, _) => default, 8);
            Assert.Throws<InvalidOperationException>(() => router.MapPacket<int>(static (_, _) => { }));
            InvalidOperationException e = Assert.Throws<InvalidOperationException>(() => router.MapPacket<string>(static (_, _) => { }, 8));
            Assert.Contains("carries System.Int64", e.Message, StringComparison.Ordinal);
        });
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(["a1"], client.Received<string>());
    }

    private sealed class ServiceProviderStub(Greeting greeting) : IServiceProvider
    {
        public object? GetService(Type serviceType) => serviceType == typeof(Greeting) ? greeting : null;
    }
}
