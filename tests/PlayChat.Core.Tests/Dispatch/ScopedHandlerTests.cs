using Microsoft.Extensions.DependencyInjection;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class ScopedHandlerTests : IAsyncDisposable
{
    private readonly List<string> _log = [];
    private readonly ServiceProvider _services;

    public ScopedHandlerTests() =>
        _services = new ServiceCollection().AddSingleton(_log).AddScoped<Work>().AddScoped<Registered>().BuildServiceProvider();

    public ValueTask DisposeAsync() => _services.DisposeAsync();

    [Fact]
    public async Task Each_message_gets_a_new_handler_and_a_scope_which_end_when_it_is_done()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router => router.MapPacket<string, Handler>(scoped: true));
        HarnessClient client = await harness.ConnectAsync();

        client.Say(7, "a");
        client.Say(7, "b");
        await harness.IdleAsync();

        Assert.Equal(
            ["work begins", "a", "handler disposed", "work disposed", "work begins", "b", "handler disposed", "work disposed"], _log);
    }

    [Fact]
    public async Task A_handler_that_fails_is_disposed_as_well()
    {
        await using RoomHarness<Room> harness = await StartAsync(static router => router.MapPacket<string, Handler>(scoped: true));
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "fail");

        Assert.Equal(["work begins", "fail", "handler disposed", "work disposed"], _log);
        Assert.Equal(CloseReason.HandlerFault, client.Session.Connection.CloseReason);
    }

    [Fact]
    public async Task A_handler_that_is_a_scoped_service_is_disposed_once()
    {
        await using RoomHarness<Room> harness = await StartAsync(
            static router => router.MapScopedPacket<string, Registered>(static (handler, _, text, _) => handler.HandleAsync(text), 7));
        HarnessClient client = await harness.ConnectAsync();

        await harness.SayAsync(client, 7, "a");

        Assert.Equal(["a", "registered disposed"], _log);
    }

    private Task<RoomHarness<Room>> StartAsync(Action<PacketRouter> map) =>
        TextPackets.StartAsync(map, server => server.UseServices(_services));

    private sealed class Work : IDisposable
    {
        private readonly List<string> _log;

        public Work(List<string> log)
        {
            _log = log;
            log.Add("work begins");
        }

        public void Dispose() => _log.Add("work disposed");
    }

    private sealed class Handler(Work work, List<string> log) : IPacketHandler<string>, IAsyncDisposable
    {
        public async ValueTask HandleAsync(PacketContext context, string message, CancellationToken cancellationToken)
        {
            Assert.NotNull(work);
            await Task.Yield();
            log.Add(message);
            if (message == "fail")
            {
                throw new InvalidOperationException();
            }
        }

        public ValueTask DisposeAsync()
        {
            log.Add("handler disposed");
            return default;
        }
    }

    private sealed class Registered(List<string> log) : IDisposable
    {
        internal ValueTask HandleAsync(string text)
        {
            log.Add(text);
            return default;
        }

        public void Dispose() => log.Add("registered disposed");
    }
}
