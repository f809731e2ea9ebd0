using System.Net.Sockets;
using PlayChat.Core;
using PlayChat.TestUtilities;

namespace PlayChat.Transport.Linux.Tests;

/// <summary>A receiving direction of its own beside a link's: the test is its event loop and its reader.</summary>
public sealed class ReceiveHalfTests : IDisposable
{
    private readonly SocketLink _socket = new();
    private readonly byte[] _buffer = new byte[4];
    private ReceiveHalf _half;

    public void Dispose() => _socket.Dispose();

    [Fact]
    public async Task A_full_buffer_may_have_left_something_behind_and_a_partly_filled_one_has_not()
    {
        Assert.Equal(ReceiveHalf.WouldBlock, TryReceive());

        _socket.Peer.Send(new byte[] { 1, 2, 3, 4, 5, 6 });
        Assert.Equal(4, await ReceiveAsync());
        Assert.Equal([1, 2, 3, 4], _buffer);
        Assert.True(_half.IsReady);

        Assert.Equal(2, TryReceive());
        Assert.Equal([5, 6], _buffer[..2]);
        Assert.False(_half.IsReady);
    }

    [Fact]
    public async Task A_peer_that_ends_in_order_is_received_as_the_end()
    {
        _socket.Peer.Send(new byte[] { 1 });
        _socket.Peer.Shutdown(SocketShutdown.Send);

        Assert.Equal(1, await ReceiveAsync());
        Assert.Equal(0, await ReceiveAsync());

        Assert.Equal(CloseReason.PeerClosed, _socket.Link.EndReason);
        Assert.True(_socket.Link.WaitForDataAsync().IsCompleted);
    }

    [Fact]
    public async Task A_peer_that_resets_is_received_as_the_end_with_its_reason()
    {
        _socket.ResetByPeer();

        Assert.Equal(0, await ReceiveAsync());

        Assert.Equal(CloseReason.PeerReset, _socket.Link.EndReason);
    }

    [Fact]
    public void A_link_that_is_disposed_receives_nothing_more()
    {
        _socket.Peer.Send(new byte[] { 1 });
        _socket.Link.Dispose();

        Assert.Equal(0, TryReceive());

        Assert.Equal(CloseReason.LocalClose, _socket.Link.EndReason);
    }

    [Fact]
    public void A_reader_that_waits_is_executed_once_for_an_edge()
    {
        var reader = new CountingReader();
        Assert.True(_half.TryWait(_socket.Link, reader));

        ReadinessWaiter waiter = _half.SetReady();
        _half.Wake(waiter);
        _half.Wake(_half.SetReady());

        Assert.Equal((ReadinessWaiter.Continuation, 1), (waiter, reader.Executions));
    }

    [Fact]
    public void A_reader_that_would_wait_after_an_edge_continues_by_itself()
    {
        var reader = new CountingReader();
        Assert.Equal(ReadinessWaiter.None, _half.SetReady());

        Assert.False(_half.TryWait(_socket.Link, reader));

        Assert.True(_half.IsReady);
        Assert.Equal(0, reader.Executions);
    }

    [Fact]
    public async Task A_receive_that_waits_with_its_buffer_ends_when_something_comes()
    {
        ValueTask<int> receiving = _socket.Link.ReceiveHalf.ReceiveAsync(_socket.Link, _buffer); // the link's own: its loop wakes it
        Assert.False(receiving.IsCompleted);

        _socket.Peer.Send(new byte[] { 7, 8 });

        Assert.Equal(2, await receiving.AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal([7, 8], _buffer[..2]);
    }

    [Fact]
    public async Task A_receive_that_waits_ends_with_its_link()
    {
        ValueTask<int> receiving = _socket.Link.ReceiveHalf.ReceiveAsync(_socket.Link, _buffer);

        _socket.Link.Dispose();

        Assert.Equal(0, await receiving.AsTask().WaitAsync(TestTimeouts.Hang));
    }

    private int TryReceive() => _half.TryReceive(_socket.Link, _buffer);

    /// <summary>Receives what the system brings from the peer in a moment.</summary>
    private async Task<int> ReceiveAsync()
    {
        int received = ReceiveHalf.WouldBlock;
        await Eventually.TrueAsync(() => (received = TryReceive()) != ReceiveHalf.WouldBlock);
        return received;
    }

    private sealed class CountingReader : IThreadPoolWorkItem
    {
        internal int Executions { get; private set; }

        public void Execute() => Executions++;
    }
}
