using Microsoft.Extensions.Logging;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>Links that were accepted and cannot be set up.</summary>
public sealed class SetUpFaultTests
{
    [Fact]
    public async Task A_link_that_cannot_be_opened_is_freed_and_the_next_one_is_opened()
    {
        var log = new RecordingLogger();
        var opened = new TaskCompletionSource<TransportConnection>(TaskCreationOptions.RunContinuationsAsynchronously);
        var listener = new RushListener(2);
        await using var endpoint = new Endpoint(
            listener, static _ => true, handshakes: null, TimeProvider.System, log, Open);

        endpoint.Start();

        Assert.Same(listener.Links[1], await opened.Task.WaitAsync(TestTimeouts.Hang));
        Assert.True(listener.Links[0].IsAborted);
        Assert.Equal(1, listener.Links[0].Disposals);
        Assert.Equal(1, log.Count("OpenFault"));

        void Open(TransportConnection link)
        {
            if (ReferenceEquals(link, listener.Links[0]))
            {
                throw new InvalidOperationException("No set-up should.");
            }

            opened.SetResult(link);
        }
    }

    [Fact]
    public async Task A_connection_whose_set_up_fails_ends_and_gives_its_place_back()
    {
        var log = new FaultyLogger("Opened");
        await using ServerHarness harness = await new ServerHarness(static o =>
        {
            o.Connections.MaxConnectionsPerAddress = 1;
            o.Connections.LimitsLoopback = true;
        })
            .StartAsync(server => server.UseLogging(log).OnFrame(static (connection, frame) => connection.Send(in frame)));

        TransportConnection failed = await harness.ConnectOnlyAsync();
        Assert.Equal(0, await failed.ReceiveAsync(new byte[1].AsMemory()));
        Assert.Equal(CloseReason.PeerReset, failed.EndReason);
        await Eventually.TrueAsync(() => log.Recorded.Count("Closed") == 1);
        Assert.Equal(0, harness.Server.Sessions.Count);
        TransportConnection next = await harness.ConnectAsync();
        await next.SendAsync(ServerHarness.Frame(7));

        Assert.Equal(ServerHarness.Frame(7), await next.ReceiveAsync(5));
        Assert.Equal(1, log.Recorded.Count("OpenFault"));
        Assert.Equal(1, harness.Server.Metrics.ReadCloses()[(int)CloseReason.TransportFault]);
    }

    /// <summary>Throws once, at one kind of message, as no logger should.</summary>
    private sealed class FaultyLogger(string eventName) : ILogger, ILoggerFactory
    {
        private int _faults;

        internal RecordingLogger Recorded { get; } = new();

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (eventId.Name == eventName && Interlocked.Exchange(ref _faults, 1) == 0)
            {
                throw new InvalidOperationException("No logger should.");
            }

            Recorded.Log(logLevel, eventId, state, exception, formatter);
        }

        public bool IsEnabled(LogLevel logLevel) => true;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public ILogger CreateLogger(string categoryName) => this;

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public void Dispose()
        {
            // Nothing is held.
        }
    }
}
