using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

/// <summary>A receive loop that takes so much per second from its peer.</summary>
public sealed class ReceiveLimitTests : IDisposable
{
    private readonly PartServices _services = new(static options => options.FramesPerSecond = 10);
    private readonly CancellationTokenSource _aborted = new();
    private readonly RecordingControl _control;
    private readonly FrameSender _sender;
    private readonly ReceiveLoop _loop;
    private int _handled;

    public ReceiveLimitTests()
    {
        _control = new RecordingControl { Aborted = _aborted.Token };
        _sender = new FrameSender(_services.Link, _services.Services, _control);
        _loop = new ReceiveLoop(_services.Link, _services.Services, _sender, _control);
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            _handled++;
            return default;
        };
        _loop.Run();
    }

    public void Dispose()
    {
        _sender.TryEnd();
        _services.Link.FeedEnd(CloseReason.PeerReset);
        Assert.True(SpinWait.SpinUntil(() => _control.Calls.Contains("ended"), TestTimeouts.Hang));
        _services.Dispose();
        _aborted.Dispose();
    }

    [Fact]
    public async Task A_peer_that_floods_is_not_read_for_a_while_and_nothing_is_lost()
    {
        _services.Link.Feed(Frames(30)); // 20 may come at once

        Assert.Equal(30, _handled);
        Assert.False(_services.Link.IsReceiving);
        Assert.Equal(1, _services.Metrics.Read(Counter.ReadPauses));
        _services.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(_services.Link.IsReceiving);

        _services.Time.Advance(TimeSpan.FromSeconds(0.25));
        await Eventually.TrueAsync(() => _services.Link.IsReceiving);
        _services.Link.Feed(Frames(1));
        Assert.Equal(31, _handled);
        Assert.DoesNotContain(_control.Calls, static call => call.Contains("close", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_peer_that_is_not_read_for_a_while_is_not_taken_for_silent()
    {
        _services.Link.Feed(Frames(30));
        _services.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.True(_loop.TryExcuseSilence(_services.Time.GetTimestamp()));
        Assert.Equal(_services.Time.GetTimestamp(), _loop.LastReceiveTimestamp);

        _services.Time.Advance(TimeSpan.FromSeconds(0.25));
        await Eventually.TrueAsync(() => _services.Link.IsReceiving);
        Assert.Equal(_services.Time.GetTimestamp(), _loop.LastReceiveTimestamp);
        Assert.False(_loop.TryExcuseSilence(_services.Time.GetTimestamp()));
    }

    [Fact]
    public async Task A_partial_frame_has_its_whole_time_although_it_is_not_read_meanwhile()
    {
        _services.Link.Feed((byte[])[.. Frames(80), 0]);
        Assert.False(_services.Link.IsReceiving);

        _services.Time.Advance(TimeSpan.FromSeconds(6.25));
        await Eventually.TrueAsync(() => _services.Link.IsReceiving);

        Assert.False(_loop.IsFrameOverdue(_services.Time.GetTimestamp(), TimeSpan.FromSeconds(5)));
    }

    [Fact]
    public async Task A_connection_that_is_aborted_while_it_is_not_read_ends_at_once()
    {
        _services.Link.Feed(Frames(80)); // for six seconds

        _sender.TryEnd();
        await _aborted.CancelAsync();

        await Eventually.TrueAsync(() => _control.Calls.Contains("ended"));
    }

    private static byte[] Frames(int count)
    {
        FrameFormat format = FrameFormat.Packet();
        byte[] frame = new byte[format.GetEncodedBytes(1)];
        format.Encode("a"u8, new FrameHeader(1), frame);
        return Enumerable.Repeat(frame, count).SelectMany(static bytes => bytes).ToArray();
    }
}
