using Microsoft.Extensions.DependencyInjection;
using PlayChat.Core.Dispatch;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class ScopedHandlerTests : IAsyncDisposable
{
    private readonly List<string> _log = [];
    private readonly ServiceProvider _services;
    private readonly RouterHarness _harness;

    public ScopedHandlerTests()
    {
        _services = new ServiceCollection().AddSingleton(_log).AddScoped<Work>().AddScoped<Registered>().BuildServiceProvider();
        _harness = new RouterHarness(_services);
    }

    public async ValueTask DisposeAsync()
    {
        await _harness.DisposeAsync();
        await _services.DisposeAsync();
    }

    [Fact]
    public async Task Each_message_gets_a_new_handler_and_a_scope_which_end_when_it_is_done()
    {
        _harness.Router.MapPacket<string, Handler>(scoped: true);

        _harness.Receive(7, "a");
        _harness.Receive(7, "b");

        await Eventually.TrueAsync(() => _log.Count == 8);
        Assert.Equal(
            ["work begins", "a", "handler disposed", "work disposed", "work begins", "b", "handler disposed", "work disposed"], _log);
    }

    [Fact]
    public async Task A_handler_that_fails_is_disposed_as_well()
    {
        _harness.Router.MapPacket<string, Handler>(scoped: true);

        _harness.Receive(7, "fail");

        await Eventually.TrueAsync(() => _log.Count == 4);
        Assert.Equal(["work begins", "fail", "handler disposed", "work disposed"], _log);
        await Eventually.TrueAsync(() => _harness.Connection.CloseReason == CloseReason.HandlerFault);
    }

    [Fact]
    public void A_handler_that_is_a_scoped_service_is_disposed_once()
    {
        _harness.Router.MapScopedPacket<string, Registered>(7, static (handler, _, text) => handler.Handle(text));

        _harness.Receive(7, "a");

        Assert.Equal(["a", "registered disposed"], _log);
    }

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
        internal void Handle(string text) => log.Add(text);

        public void Dispose() => log.Add("registered disposed");
    }
}
