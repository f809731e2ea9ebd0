using PlayChat.Core;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Transport.Linux.Tests;

/// <summary>A sending direction of its own beside a link's: the test is its event loop and its sender.</summary>
public sealed class SendHalfTests : IDisposable
{
    private readonly SocketLink _socket = new(new TransportOptions { SendBufferBytes = 4096 });
    private SendHalf _half;

    public void Dispose() => _socket.Dispose();

    [Fact]
    public void What_the_socket_takes_is_sent_at_once()
    {
        Assert.Equal(3, _half.TrySend(_socket.Link, new byte[] { 1, 2, 3 }));
        Assert.True(_half.SendAsync(_socket.Link, new byte[] { 4 }).IsCompletedSuccessfully);
        Assert.True(_half.SendAsync(_socket.Link, new ArraySegment<byte>[] { new([5, 6]), new([7]) }).IsCompletedSuccessfully);

        Assert.Equal([1, 2, 3, 4, 5, 6, 7], _socket.ReadByPeer(7));
    }

    [Fact]
    public void A_gathered_send_that_the_socket_takes_in_parts_continues_where_it_stopped()
    {
        byte[] bytes = new byte[200 * 5_001];
        new Random(1).NextBytes(bytes);
        ArraySegment<byte>[] pieces = [.. Enumerable.Range(0, 200).Select(i => new ArraySegment<byte>(bytes, i * 5_001, 5_001))];
        int piece = 0;
        int offset = 0;
        int read = 0;
        int stops = 0;

        int outcome;
        while ((outcome = _half.TrySendAll(_socket.Link, pieces, ref piece, ref offset)) == SendHalf.WouldBlock)
        {
            // The peer gets exactly what the position says.
            int sent = (piece * 5_001) + offset;
            Assert.Equal(bytes[read..sent], _socket.ReadByPeer(sent - read));
            read = sent;
            stops++;
        }

        Assert.Equal((0, pieces.Length), (outcome, piece));
        Assert.Equal(bytes[read..], _socket.ReadByPeer(bytes.Length - read));
        Assert.NotEqual(0, stops);
    }

    [Fact]
    public async Task A_send_that_waits_ends_when_the_peer_has_read_it()
    {
        byte[] bytes = new byte[1_000_000];
        new Random(1).NextBytes(bytes);

        ValueTask<bool> sending = _socket.Link.SendHalf.SendAsync(_socket.Link, bytes); // the link's own: its loop wakes it
        Assert.False(sending.IsCompleted);
        byte[] read = _socket.ReadByPeer(bytes.Length);

        Assert.True(await sending.AsTask().WaitAsync(TestTimeouts.Hang));
        Assert.Equal(bytes, read);
    }

    [Fact]
    public async Task A_send_that_waits_fails_with_its_link()
    {
        ValueTask<bool> sending = _socket.Link.SendHalf.SendAsync(_socket.Link, new byte[1_000_000]);

        _socket.Link.Dispose();

        Assert.False(await sending.AsTask().WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_send_after_the_peer_has_reset_fails_and_tells_the_reason()
    {
        _socket.ResetByPeer();

        await Eventually.TrueAsync(() => _half.TrySend(_socket.Link, new byte[1]) == SendHalf.Failed);

        Assert.Equal(CloseReason.PeerReset, _socket.Link.EndReason);
        Assert.False(await _half.SendAsync(_socket.Link, new ArraySegment<byte>[] { new([1]) }));
    }

    [Fact]
    public async Task A_link_that_is_disposed_sends_nothing_more()
    {
        _socket.Link.Dispose();

        Assert.Equal(SendHalf.Failed, _half.TrySend(_socket.Link, new byte[1]));
        Assert.False(await _half.SendAsync(_socket.Link, new byte[1]));

        Assert.Equal(CloseReason.LocalClose, _socket.Link.EndReason);
    }
}
