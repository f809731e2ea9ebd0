using System.Net;
using PlayChat.Core.Diagnostics;
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
        using var metrics = new ServerMetrics(time: time);
        using var link = new StubLink();
        var opened = new TaskCompletionSource<TransportConnection>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var endpoint = new Endpoint(
            new FailingListener(link), tls: null, TimeSpan.FromSeconds(10), maxHandshakes: 1, time, log, opened.SetResult, metrics);

        endpoint.Start();
        await time.WaitForTimersAsync().WaitAsync(TestTimeouts.Hang);
        time.Advance(TimeSpan.FromMilliseconds(100));

        Assert.Same(link, await opened.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, log.Count("AcceptFault"));
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
