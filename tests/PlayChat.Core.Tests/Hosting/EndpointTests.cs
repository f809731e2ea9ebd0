using System.Net;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

public sealed class EndpointTests
{
    [Fact]
    public async Task An_accept_that_fails_in_an_unforeseen_way_is_logged_and_tried_again()
    {
        var time = new ManualTimeProvider();
        var log = new RecordingLogger();
        using var link = new StubLink();
        var opened = new TaskCompletionSource<TransportConnection>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var endpoint = new Endpoint(
            new FailingListener(link), static _ => true, handshakes: null, time, log, opened.SetResult);

        endpoint.Start();
        await time.WaitForTimersAsync().WaitAsync(TestTimeouts.Hang);
        time.Advance(TimeSpan.FromMilliseconds(100));

        Assert.Same(link, await opened.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, log.Count("AcceptFault"));
    }

    [Fact]
    public async Task Accepts_that_keep_failing_are_logged_once_in_ten_seconds()
    {
        var time = new ManualTimeProvider();
        using var log = new RecordingLogger();
        await using var endpoint = new Endpoint(
            new BrokenListener(), static _ => true, handshakes: null, time, log, static _ => { });

        endpoint.Start();
        for (int i = 0; i < 101; i++) // a retry each 100 ms
        {
            await time.WaitForTimersAsync().WaitAsync(TestTimeouts.Hang);
            time.Advance(TimeSpan.FromMilliseconds(100));
        }

        await Eventually.TrueAsync(() => log.Count("AcceptFault") == 2);
        Assert.Contains("99 such faults", log.Entries.Last().Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_listener_that_ends_by_itself_is_logged_and_one_that_is_disposed_is_not()
    {
        using var log = new RecordingLogger();
        var ended = new RushListener(links: 0);
        var disposed = new RushListener(links: 0);
        await using (Start(ended))
        {
            await ended.DisposeAsync();
            await Eventually.TrueAsync(() => log.Count("ListenerEnded") == 1);
        }

        await using (Start(disposed))
        {
            // Disposed by its endpoint.
        }

        Assert.Equal(1, log.Count("ListenerEnded"));

        Endpoint Start(TransportListener listener)
        {
            var endpoint = new Endpoint(
                listener,
                static _ => true,
                handshakes: null,
                TimeProvider.System,
                log,
                static _ => Assert.Fail("There is no link to open."));
            endpoint.Start();
            return endpoint;
        }
    }

    /// <summary>Accepts nothing, as if the process had no file handles left.</summary>
    private sealed class BrokenListener : TransportListener
    {
        public override EndPoint EndPoint { get; } = new IPEndPoint(IPAddress.Loopback, 7000);

        public override ValueTask<TransportConnection?> AcceptAsync() => throw new IOException("Too many open files.");

        public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }

    /// <summary>Throws what no listener should, then gives one link.</summary>
    private sealed class FailingListener(TransportConnection link) : TransportListener
    {
        private readonly TaskCompletionSource<TransportConnection?> _disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _calls;

        public override EndPoint EndPoint { get; } = new IPEndPoint(IPAddress.Loopback, 7000);

        public override ValueTask<TransportConnection?> AcceptAsync() => ++_calls switch
        {
            1 => throw new InvalidOperationException("No listener should."),
            2 => new ValueTask<TransportConnection?>(link),
            _ => new ValueTask<TransportConnection?>(_disposed.Task),
        };

        public override ValueTask DisposeAsync()
        {
            _disposed.TrySetResult(null);
            return ValueTask.CompletedTask;
        }
    }
}
