using System.Buffers;
using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class PacketRouterTests : IAsyncLifetime
{
    private static readonly TextPacket s_hello = new(7);

    private readonly ConnectionHarness _harness = ConnectionHarness.OnStub(FrameFormat.Packet());
    private readonly ServiceProviderStub _services = new(new Greeting("Hello"));
    private PacketRouter _router = null!;
    private Session _session = null!;

    public ValueTask InitializeAsync()
    {
        _router = new PacketRouter(_services, _harness.Packets.Add(s_hello).Add(new NumberPacket(8)));
        _session = new SessionRegistry(_harness.Metrics).Open(_harness.Connection);
        _harness.Handler.OnFrame = (Connection connection, in Frame frame) => _router.HandleAsync(connection, in frame);
        _harness.Start();
        return default;
    }

    public ValueTask DisposeAsync() => _harness.DisposeAsync();

    [Fact]
    public void A_function_an_object_and_a_class_with_services_handle_a_packet()
    {
        LogIn();
        _router.MapPacket(s_hello, static (context, text) => context.Reply(s_hello, text + "1"));
        _router.MapPacket(new TextPacket(8), new GreetingHandler(new Greeting("Hi")));
        _router.MapPacket<string, GreetingHandler>(new TextPacket(200));
        _router.MapPacket(new TextPacket(9), static async (context, text, token) =>
        {
            await Task.CompletedTask.WaitAsync(token);
            context.Reply(s_hello, text + "4");
        });

        Receive(7, "a");
        Receive(8, "b");
        Receive(200, "c");
        Receive(9, "d");

        Assert.Equal(["a1", "Hi b", "Hello c", "d4"], Answers());
    }

    [Fact]
    public void An_answer_carries_the_request_id()
    {
        LogIn();
        _router.MapPacket(s_hello, static (context, text) => context.Reply(s_hello, text));

        Start();
        _harness.Stub.Feed(_harness.Frame("a"u8, new FrameHeader(7, RequestId: 513)));

        Assert.Equal([0, 0, 0, 5, 0, 7, 2, 1, (byte)'a'], _harness.Stub.Sent!.ToArray());
    }

    [Fact]
    public void A_packet_that_needs_a_login_closes_or_is_answered()
    {
        int handled = 0;
        _router.RequireLogin = true;
        _router.MapPacket(s_hello, (_, _) => handled++);
        _router.OnLoginRequired = static context => context.Reply(s_hello, "log in first");

        Receive(7, "a");
        Assert.Equal(["log in first"], Answers());
        Assert.True(_harness.Connection.IsOpen);

        _router.OnLoginRequired = null;
        Receive(7, "a");
        Assert.Equal(CloseReason.LoginRequired, _harness.Connection.CloseReason);
        Assert.Equal(0, handled);
    }

    [Fact]
    public void A_packet_for_before_login_is_handled_for_an_anonymous_session()
    {
        _router.RequireLogin = true;
        _router.MapPacket(s_hello, static (context, text) => context.Reply(s_hello, text)).AllowBeforeLogin();

        Receive(7, "a");

        Assert.Equal(["a"], Answers());
    }

    [Fact]
    public void One_packet_may_need_a_login_where_the_others_do_not()
    {
        _router.MapPacket(s_hello, static (context, text) => context.Reply(s_hello, text));
        _router.MapPacket(new TextPacket(8), static (_, _) => Assert.Fail("Nobody has logged in.")).RequireLogin();

        Receive(7, "a");
        Receive(8, "a");

        Assert.Equal(["a"], Answers());
        Assert.Equal(CloseReason.LoginRequired, _harness.Connection.CloseReason);
    }

    [Theory]
    [InlineData((ushort)8, CloseReason.UnknownPacket)]
    [InlineData((ushort)65_535, CloseReason.UnknownPacket)]
    [InlineData((ushort)7, CloseReason.ProtocolViolation)]
    public void An_unknown_or_malformed_packet_closes(ushort id, CloseReason reason)
    {
        LogIn();
        _router.MapPacket(s_hello, static (_, _) => { });

        Receive(id, "");

        Assert.Equal(reason, _harness.Connection.CloseReason);
    }

    [Fact]
    public void An_unknown_or_malformed_packet_is_answered_after_login_alone()
    {
        _router.MapPacket(s_hello, static (_, _) => { });
        _router.OnUnknown = static context => context.Reply(s_hello, $"unknown {context.PacketId}");
        _router.OnMalformed = static context => context.Reply(s_hello, $"malformed {context.PacketId}");
        LogIn();

        Receive(8, "x");
        Receive(7, "");

        Assert.Equal(["unknown 8", "malformed 7"], Answers());
        Assert.Equal(1, _harness.Metrics.Read(Counter.UnknownPackets));
        Assert.Equal(1, _harness.Metrics.Read(Counter.ProtocolViolations));
    }

    [Fact]
    public void A_stranger_gets_no_second_try()
    {
        _router.RequireLogin = true;
        _router.OnUnknown = static _ => Assert.Fail("A stranger is not answered.");

        Receive(8, "x");

        Assert.Equal(CloseReason.UnknownPacket, _harness.Connection.CloseReason);
    }

    [Fact]
    public async Task OnFault_answers_for_a_handler_that_throws_and_the_session_goes_on()
    {
        LogIn();
        _router.OnFault = static (context, e) => context.Reply(s_hello, e.Message);
        _router.MapPacket(s_hello, static (_, _) => throw new InvalidOperationException("sync"));
        _router.MapPacket(new TextPacket(8), static async (_, _, _) =>
        {
            await Task.Yield();
            throw new InvalidOperationException("async");
        });

        Receive(7, "a");
        Receive(8, "a");

        await Eventually.TrueAsync(() => Answers().Length == 2);
        Assert.Equal(["sync", "async"], Answers());
        Assert.True(_harness.Connection.IsOpen);
        Assert.Equal(2, _harness.Logger.Count("HandlerFault"));
        Assert.Equal(2, _harness.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public void Without_OnFault_a_handler_that_throws_closes_its_session()
    {
        LogIn();
        _router.MapPacket(s_hello, static (_, _) => throw new InvalidOperationException("sync"));

        Receive(7, "a");

        Assert.Equal(CloseReason.HandlerFault, _harness.Connection.CloseReason);
        Assert.Equal(1, _harness.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public void An_id_that_is_mapped_twice_is_refused_with_both_names()
    {
        _router.MapPacket(s_hello, static (_, _) => { });

        InvalidOperationException e = Assert.Throws<InvalidOperationException>(() => _router.MapPacket(new TextPacket(7), static (_, _) => { }));

        Assert.Contains("Packet id 7 is mapped twice", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_class_that_cannot_be_made_is_refused()
    {
        var bare = new PacketRouter(provider: null, new PacketSet().Add(s_hello));

        Assert.Contains(nameof(Greeting), Assert.Throws<InvalidOperationException>(() => bare.MapPacket<string, GreetingHandler>()).Message, StringComparison.Ordinal);
        Assert.Contains("UseServices", Assert.Throws<InvalidOperationException>(() => bare.MapPacket<string, GreetingHandler>(scoped: true)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_class_is_made_once()
    {
        Assert.Same(_router.GetHandler<GreetingHandler>(), _router.GetHandler<GreetingHandler>());
    }

    [Fact]
    public void A_started_router_is_not_changed()
    {
        Start();

        Assert.Throws<InvalidOperationException>(() => _router.MapPacket(s_hello, static (_, _) => { }));
        Assert.Throws<InvalidOperationException>(() => _router.RateLimit(1));
    }

    [Fact]
    public async Task An_async_lambda_of_two_parameters_is_awaited()
    {
        var goOn = new TaskCompletionSource();
        List<string> handled = [];
        _router.MapPacket(s_hello, async (_, text) =>
        {
            await goOn.Task;
            handled.Add(text);
        });

        Receive(7, "a");
        Receive(7, "b");
        Assert.Empty(handled);
        goOn.SetResult();

        await Eventually.TrueAsync(() => handled.Count == 2);
        Assert.Equal(["a", "b"], handled);
    }

    [Fact]
    public void A_packet_is_mapped_by_its_message_or_its_id_and_answered_by_the_message()
    {
        _router.MapPacket<string>(static (context, text) => context.Connection.SendPacket(text + "1", context.RequestId));
        _router.MapPacket<long>(8, static (_, _, _) => default);

        Receive(7, "a");

        Assert.Equal(["a1"], Answers());
        Assert.Throws<InvalidOperationException>(() => _router.MapPacket<int>(static (_, _) => { }));
        Assert.Contains(
            "carries System.Int64",
            Assert.Throws<InvalidOperationException>(() => _router.MapPacket<string>(8, static (_, _) => { })).Message,
            StringComparison.Ordinal);
    }

    private void LogIn() => _session.SetUser(new SessionUser(1, "ann"));

    private void Receive(ushort id, string text)
    {
        Start();
        _harness.Stub.Feed(_harness.Frame(Encoding.UTF8.GetBytes(text), new FrameHeader(id)));
    }

    private void Start() => _router.Start(_harness.Metrics, _harness.Logger, _harness.Time);

    private string[] Answers()
    {
        List<string> texts = [];
        FrameScan.ReadAll(
            FrameFormat.Packet(),
            new ReadOnlySequence<byte>(_harness.Stub.Sent!.ToArray()),
            (in Frame frame) => texts.Add(Encoding.UTF8.GetString(frame.ToArray())));
        return [.. texts];
    }

    private sealed class ServiceProviderStub(Greeting greeting) : IServiceProvider
    {
        public object? GetService(Type serviceType) => serviceType == typeof(Greeting) ? greeting : null;
    }
}
