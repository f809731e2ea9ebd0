using System.Text;
using PlayChat.Core.WebSockets;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.WebSockets;

/// <summary>The link alone, over a stub whose peer is the test.</summary>
public sealed class WebSocketConnectionTests : IDisposable
{
    private readonly StubLink _inner = new() { Sent = new MemoryStream() };
    private readonly WebSocketConnection _link;
    private readonly byte[] _buffer = new byte[64 * 1024];

    public WebSocketConnectionTests()
    {
        _link = new WebSocketConnection(_inner, 1 << 20);
    }

    public void Dispose()
    {
        _link.Dispose();
        _inner.Dispose();
    }

    [Theory]
    [InlineData(1, "8201")]
    [InlineData(125, "827D")]
    [InlineData(126, "827E007E")]
    [InlineData(4097, "827E1001")]
    [InlineData(65_535, "827EFFFF")]
    [InlineData(65_536, "827F0000000000010000")]
    public async Task A_send_is_one_unmasked_message_and_one_send_of_the_link_below(int length, string header)
    {
        byte[] payload = new byte[length];
        new Random(length).NextBytes(payload);

        Assert.True(await _link.SendAsync(payload));
        IList<ArraySegment<byte>> halves = [new(payload, 0, length / 2), new(payload, length / 2, length - (length / 2))];
        Assert.True(await _link.SendAsync(halves));

        byte[] message = [.. Convert.FromHexString(header), .. payload];
        Assert.Equal([.. message, .. message], _inner.Sent!.ToArray());
        Assert.Equal(2, _inner.Sends);
    }

    [Fact]
    public void It_brings_records_if_the_link_below_does()
    {
        Assert.False(_link.BringsRecords);

        _inner.IsOfRecords = true;
        Assert.True(_link.BringsRecords);
    }

    [Fact]
    public async Task What_is_received_is_the_payload_and_control_frames_bring_nothing()
    {
        _inner.Feed(ClientFrames.Of(WebSocketOpcode.Pong, [1]));
        _inner.Feed((byte[])[.. ClientFrames.Of(WebSocketOpcode.Binary, [1, 2]), .. ClientFrames.Of(WebSocketOpcode.Binary, [3])]);

        Assert.Equal(-1, await _link.ReceiveAsync(_buffer));
        Assert.Equal(3, await _link.ReceiveAsync(_buffer));
        Assert.Equal([1, 2, 3], _buffer[..3]);
        Assert.Equal(7 + 6 + 6, _link.TakeOverheadBytes()); // the pong, and two headers
        Assert.Equal(0, _link.TakeOverheadBytes());
    }

    [Fact]
    public async Task A_message_is_unfinished_from_its_first_byte_to_its_last()
    {
        byte[] stream =
        [
            .. ClientFrames.Of(WebSocketOpcode.Binary, [], isFinal: false),
            .. ClientFrames.Of(WebSocketOpcode.Continuation, [1], isFinal: false),
            .. ClientFrames.Of(WebSocketOpcode.Ping, [2]),
            .. ClientFrames.Of(WebSocketOpcode.Continuation, []),
        ];
        for (int i = 0; i < stream.Length; i++)
        {
            Assert.Equal(i == 0 ? 0 : 1, _link.UnfinishedBytes);
            _inner.Feed(stream.AsMemory(i, 1));
            await _link.ReceiveAsync(_buffer);
        }

        Assert.Equal(0, _link.UnfinishedBytes);
    }

    [Fact]
    public async Task A_ping_is_answered_with_its_payload()
    {
        _inner.Feed(ClientFrames.Of(WebSocketOpcode.Ping, "hi"u8.ToArray()));

        await _link.ReceiveAsync(_buffer);

        Assert.Equal([0x8A, 2, (byte)'h', (byte)'i'], _inner.Sent!.ToArray());
    }

    [Fact]
    public async Task Pings_during_a_send_are_answered_behind_it_by_one_pong_for_the_newest()
    {
        _inner.HoldSends = true;
        ValueTask<bool> message = _link.SendAsync(new byte[] { 5 });
        _inner.Feed(ClientFrames.Of(WebSocketOpcode.Ping, [1]));
        await _link.ReceiveAsync(_buffer);
        _inner.Feed(ClientFrames.Of(WebSocketOpcode.Ping, [2]));
        await _link.ReceiveAsync(_buffer);
        Assert.Equal(1, _inner.Sends);

        _inner.CompleteSend();
        Assert.True(await message);
        ValueTask<bool> next = _link.SendAsync(new byte[] { 6 }); // waits behind the pong, whose send is held
        Assert.Equal(2, _inner.Sends);
        _inner.CompleteSend();
        await Eventually.TrueAsync(() => _inner.Sends == 3);
        _inner.CompleteSend();

        Assert.True(await next);
        Assert.Equal([0x82, 1, 5, 0x8A, 1, 2, 0x82, 1, 6], _inner.Sent!.ToArray());
    }

    [Fact]
    public async Task A_close_names_the_reason_and_ends_the_link_below_in_order()
    {
        _link.Shutdown(CloseReason.TakenOver);

        byte[] frame = [0x88, 11, 0x0F, 0xAB, .. "TakenOver"u8];
        Assert.Equal(frame, _inner.Sent!.ToArray());
        Assert.True(_inner.IsShutdown);

        _inner.Feed(ClientFrames.Of(WebSocketOpcode.Ping, [1])); // nothing follows a close frame
        _inner.Feed(ClientFrames.Of(WebSocketOpcode.Close, [0x0F, 0xAB]));
        Assert.Equal(-1, await _link.ReceiveAsync(_buffer));
        Assert.Equal(0, await _link.ReceiveAsync(_buffer));
        Assert.Equal(CloseReason.PeerClosed, _link.EndReason);
        Assert.Equal(frame, _inner.Sent!.ToArray());
    }

    [Fact]
    public async Task The_clients_close_frame_ends_the_stream_behind_its_last_message_and_is_answered_with_its_code()
    {
        _inner.Feed((byte[])[.. ClientFrames.Of(WebSocketOpcode.Binary, [1]), .. ClientFrames.Of(WebSocketOpcode.Close, [0x03, 0xE9])]);

        Assert.Equal(1, await _link.ReceiveAsync(_buffer));
        Assert.False(_link.TryWaitForData(null!)); // the end is there
        Assert.Equal(0, await _link.ReceiveAsync(_buffer));
        Assert.Equal(CloseReason.PeerClosed, _link.EndReason);
        _link.Shutdown(CloseReason.PeerClosed);

        Assert.Equal([0x88, 2, 0x03, 0xE9], _inner.Sent!.ToArray());
    }

    [Fact]
    public async Task A_violation_is_taken_once_and_the_close_frame_says_what_it_was()
    {
        _inner.Feed((byte[])[.. ClientFrames.Of(WebSocketOpcode.Binary, [1]), 0x82, 1, 7]);
        _inner.Feed(ClientFrames.Of(WebSocketOpcode.Binary, [2]));

        Assert.Equal(1, await _link.ReceiveAsync(_buffer));
        Assert.Equal(-1, await _link.ReceiveAsync(_buffer));
        Assert.Equal(CloseReason.ProtocolViolation, _link.TakeViolation());
        Assert.Equal(CloseReason.None, _link.TakeViolation());
        Assert.Equal(-1, await _link.ReceiveAsync(_buffer)); // dropped
        _link.Shutdown(CloseReason.ProtocolViolation);

        byte[] sent = _inner.Sent!.ToArray();
        Assert.Equal([0x03, 0xEA], sent[2..4]);
        Assert.Contains("mask", Encoding.UTF8.GetString(sent), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Bytes_behind_the_request_for_the_upgrade_are_received_first()
    {
        byte[] frames = [.. ClientFrames.Of(WebSocketOpcode.Binary, [1, 2, 3]), .. ClientFrames.Of(WebSocketOpcode.Binary, [4])];
        using var link = new WebSocketConnection(_inner, 100, frames.AsMemory(0, 12));
        _inner.Feed(frames.AsMemory(12));

        Assert.True(link.WaitForDataAsync().IsCompleted);
        List<byte> received = [];
        while (received.Count < 4)
        {
            int bytes = await link.ReceiveAsync(_buffer.AsMemory(0, 5));
            received.AddRange(_buffer[..Math.Max(bytes, 0)]);
        }

        Assert.Equal([1, 2, 3, 4], received);
    }

    [Fact]
    public void A_close_frame_that_the_peer_does_not_take_delays_the_end_of_the_link_below()
    {
        _inner.HoldSends = true;
        _link.Shutdown(CloseReason.IdleTimeout);
        Assert.False(_inner.IsShutdown);

        _link.Dispose();
        Assert.Equal(0, _inner.Disposals);

        _inner.CompleteSend();
        Assert.True(_inner.IsShutdown);
        SpinWait.SpinUntil(() => _inner.Disposals == 1, TestTimeouts.Hang);
        Assert.Equal(1, _inner.Disposals);
    }
}
