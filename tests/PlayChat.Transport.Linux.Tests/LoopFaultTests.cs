using System.Net;
using System.Threading.Tasks.Sources;
using PlayChat.Core;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Transport.Linux.Tests;

/// <summary>An exception that reaches an event loop costs its own target, and is logged.</summary>
public sealed class LoopFaultTests : IDisposable
{
    private static readonly IPEndPoint s_any = new(IPAddress.Loopback, 0);

    private readonly LinuxTransport _transport = NativeTransport.Create(loops: 1);
    private readonly RecordingLogger _logger = new();

    public void Dispose()
    {
        _transport.Dispose();
        _logger.Dispose();
    }

    [Fact]
    public async Task A_reader_that_throws_is_logged_and_its_link_alone_ends_as_TransportFault()
    {
        await using TransportListener listener = _transport.Listen(s_any, new TransportOptions(), _logger);
        (TransportConnection client, TransportConnection server) = await ConnectAsync(listener);
        (TransportConnection otherClient, TransportConnection otherServer) = await ConnectAsync(listener);
        Assert.True(server.TryWaitForData(new Thrower()));

        await client.SendAsync(new byte[] { 1 });

        Assert.Empty(await client.ReceiveToEndAsync());
        Assert.Equal(CloseReason.PeerReset, client.EndReason);
        Assert.Equal(CloseReason.TransportFault, server.EndReason);
        await Eventually.TrueAsync(() => _logger.Count("LinkFault") == 1);
        await otherClient.SendAsync(new byte[] { 7 });
        Assert.Equal([7], await otherServer.ReceiveAsync(1));
        DisposeAll(client, server, otherClient, otherServer);
    }

    [Fact]
    public async Task A_continuation_that_throws_on_a_link_that_has_connected_is_logged_too()
    {
        await using TransportListener listener = _transport.Listen(s_any, new TransportOptions());
        using TransportConnection client = await _transport.ConnectAsync(listener.EndPoint, new TransportOptions(), _logger);
        using TransportConnection server = (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!;
        client.WaitForDataAsync().GetAwaiter()
            .UnsafeOnCompleted(static () => throw new InvalidOperationException("A continuation must not throw."));

        await server.SendAsync(new byte[] { 1 });

        Assert.Empty(await server.ReceiveToEndAsync());
        Assert.Equal(CloseReason.TransportFault, client.EndReason);
        await Eventually.TrueAsync(() => _logger.Count("LinkFault") == 1);
        Assert.Contains(listener.EndPoint.ToString()!, Assert.Single(_logger.Entries).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_listener_that_throws_is_logged_ends_with_its_fault_and_leaves_the_links_it_has_accepted()
    {
        TransportListener listener = _transport.Listen(s_any, new TransportOptions(), _logger);
        (TransportConnection client, TransportConnection server) = await ConnectAsync(listener);
        ((IValueTaskSource)listener).OnCompleted(
            static _ => throw new InvalidOperationException("A continuation must not throw."),
            null,
            0,
            ValueTaskSourceOnCompletedFlags.None);

        // The listener may end before this client learns that the system has connected it.
        _ = await Record.ExceptionAsync(() => _transport.ConnectAsync(listener.EndPoint, new TransportOptions()).AsTask());
        await Eventually.TrueAsync(() => _logger.Count("ListenerFault") == 1);

        IOException e = await Assert.ThrowsAsync<IOException>(() => listener.AcceptAsync().AsTask());
        Assert.IsType<InvalidOperationException>(e.InnerException);
        Assert.Contains(listener.EndPoint.ToString()!, e.Message, StringComparison.Ordinal);
        Assert.Null(await listener.AcceptAsync());
        Assert.DoesNotContain(listener, _transport.Loops[0].Targets.OfType<TransportListener>());
        await client.SendAsync(new byte[] { 7 });
        Assert.Equal([7], await server.ReceiveAsync(1));
        await listener.DisposeAsync();
        DisposeAll(client, server);
    }

    [Fact]
    public async Task A_target_that_fails_is_told_its_exception_and_the_loop_serves_the_next_event()
    {
        EpollLoop loop = _transport.Loops[0];
        await using TransportListener listener = _transport.Listen(s_any, new TransportOptions());
        int fd = LinuxSocket.Create(s_any, new TransportOptions());
        var target = new ThrowingTarget();

        Assert.Equal(0, loop.Add(target, fd, EpollEvents.Readable | EpollEvents.Writable)); // an unconnected socket has an event at once

        Exception e = await target.Failed.WaitAsync(TestTimeouts.Hang);
        Assert.IsType<NotSupportedException>(e);
        loop.Remove(target);
        Assert.Equal(0, Libc.Close(fd));
        (TransportConnection client, TransportConnection server) = await ConnectAsync(listener);
        await client.SendAsync(new byte[] { 7 });
        Assert.Equal([7], await server.ReceiveAsync(1));
        DisposeAll(client, server);
    }

    private static void DisposeAll(params TransportConnection[] links)
    {
        foreach (TransportConnection link in links)
        {
            link.Dispose();
        }
    }

    private async Task<(TransportConnection Client, TransportConnection Server)> ConnectAsync(TransportListener listener)
    {
        Task<TransportConnection?> accepting = listener.AcceptAsync().AsTask();
        TransportConnection client = await _transport.ConnectAsync(listener.EndPoint, new TransportOptions());
        return (client, (await accepting.WaitAsync(TestTimeouts.Hang))!);
    }

    private sealed class Thrower : IThreadPoolWorkItem
    {
        public void Execute() => throw new InvalidOperationException("A reader must not throw.");
    }

    private sealed class ThrowingTarget : IEpollTarget
    {
        private readonly TaskCompletionSource<Exception> _failed = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task<Exception> Failed => _failed.Task;

        int IEpollTarget.Slot { get; set; } = -1;

        void IEpollTarget.OnEvents(EpollEvents events) => throw new NotSupportedException("A target may fail.");

        void IEpollTarget.OnDeferred() => throw new NotSupportedException("It defers nothing.");

        void IEpollTarget.PrefetchReader()
        {
            // It has no reader.
        }

        void IEpollTarget.Fail(Exception exception) => _failed.TrySetResult(exception);

        void IEpollTarget.Abort()
        {
            // Its socket is the test's.
        }
    }
}
