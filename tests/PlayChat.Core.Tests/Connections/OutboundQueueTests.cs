using System.Text;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;

namespace PlayChat.Core.Tests.Connections;

public sealed class OutboundQueueTests : IDisposable
{
    private readonly PartServices _services = new(static options => options.MaxOutboundBytes = 4096);
    private OutboundQueue _queue;

    public OutboundQueueTests() => _queue = new OutboundQueue(_services.Services, gate: new object());

    public void Dispose()
    {
        _queue.Drop();
        _services.Dispose();
    }

    [Fact]
    public void The_first_flush_makes_its_caller_the_send_loop_and_the_others_wait_for_it()
    {
        Assert.Equal(NextSend.None, Add("a", flush: false));
        Assert.Equal(NextSend.Queued, Add("b", flush: true));
        Assert.Equal(NextSend.None, Add("c", flush: true));
        Assert.Equal(NextSend.None, _queue.Flush());

        Assert.Equal("abc", TakeNext());
        Add("d", flush: true);
        Assert.Equal("d", TakeNext());
        Assert.Null(TakeNext());
        Assert.Equal(0, _queue.Bytes);
        Assert.Equal(NextSend.Queued, Add("e", flush: true));
    }

    [Fact]
    public void Bytes_count_until_they_are_sent()
    {
        Add("abc", flush: true);
        OutboundBatch batch = _queue.TakeNext(out _, out _, out _)!;
        Add("de", flush: true);

        Assert.Equal(5, _queue.Bytes);
        batch.Release(_services.Services);
        _queue.OnSent(3);
        Assert.Equal(2, _queue.Bytes);
    }

    [Fact]
    public void A_frame_larger_than_the_bound_fits_an_empty_queue_alone()
    {
        Assert.True(_queue.TryBeginFrame(10_000, out Span<byte> frame));
        Assert.True(frame.Length >= 10_000);
        _queue.EndFrame(10_000, flush: false);

        Assert.False(_queue.TryBeginFrame(1, out _));
        Assert.True(_queue.IsHalfFull);
    }

    [Fact]
    public async Task A_frame_that_is_abandoned_leaves_the_gate_free_and_nothing_queued()
    {
        Assert.True(_queue.TryBeginFrame(10, out _));
        _queue.AbandonFrame();

        Assert.Equal(NextSend.None, await Task.Run(() => _queue.Flush()).WaitAsync(TestUtilities.TestTimeouts.Hang));
        Assert.Equal(0, _queue.Bytes);
    }

    [Fact]
    public void Shared_frames_go_out_as_they_are_when_nothing_waits_and_are_queued_behind_a_send()
    {
        Segment segment = Rent("shared");

        Assert.True(_queue.TryAddShared(segment, 0, 6, 1, flush: true, out NextSend first));
        Assert.True(_queue.TryAddShared(segment, 0, 6, 1, flush: true, out NextSend second));

        Assert.Equal((NextSend.Direct, NextSend.None), (first, second));
        Assert.True(_queue.OnSentDirectly(6, sent: true));
        Assert.Equal("shared", TakeNext());
        Assert.Null(TakeNext());
        segment.Release();
    }

    [Fact]
    public void While_the_batch_is_corked_nothing_is_sent_and_its_answers_go_first()
    {
        _queue.Cork();
        Assert.Equal(NextSend.None, Add("from elsewhere", flush: true));
        _queue.AddCorked(6);
        Assert.Equal(20, _queue.AllBytes);
        Assert.False(_queue.TryUncorkDirectly());

        OutboundBatch answers = OutboundBatch.Rent();
        Encoding.ASCII.GetBytes("answer").CopyTo(answers.GetSpan(6, _services.Services, 6));
        answers.Advance(6);
        Assert.Equal(NextSend.Queued, _queue.Uncork(answers, holds: false, out OutboundBatch? dropped));

        Assert.Null(dropped);
        Assert.Equal("answerfrom elsewhere", TakeNext());
        Assert.Null(TakeNext());
    }

    [Fact]
    public void A_cork_alone_ends_directly()
    {
        _queue.Cork();
        _queue.AddCorked(6);

        Assert.True(_queue.TryUncorkDirectly());

        Assert.Equal((6, 0, false), (_queue.Bytes, _queue.AllBytes - _queue.Bytes, _queue.IsCorked));
        Assert.False(_queue.OnSentDirectly(6, sent: true));
    }

    [Fact]
    public void Of_frames_of_one_key_the_newest_waits_and_goes_behind_the_queue()
    {
        Add("under way", flush: true);
        OutboundBatch batch = _queue.TakeNext(out _, out _, out _)!;
        Segment segment = Rent("oldnew");
        LooseFrame[] loose = [new(0, 3, 0, Delivery.LatestOnly(1)), new(3, 3, 1, Delivery.LatestOnly(1))];

        Assert.Equal(NextSend.None, _queue.AddLoose(new SharedFrames(segment, 0, 6, 0, 2), loose, flush: true, out Losses losses));
        Add("queued", flush: true);

        Assert.Equal(new Losses(Replaced: 1, Skipped: 0, Refused: 0), losses);
        batch.Release(_services.Services);
        _queue.OnSent(9);
        Assert.Equal(9, _queue.Bytes);
        Assert.Equal("queuednew", TakeNext());
        Assert.Null(TakeNext());
        segment.Release();
    }

    [Fact]
    public void A_closing_queue_takes_nothing_and_shuts_down_once_when_all_is_sent()
    {
        Add("last", flush: true);

        Assert.True(_queue.TryClose());
        Assert.False(_queue.TryClose());
        Assert.False(_queue.TryBeginFrame(1, out _));
        Assert.False(_queue.TryShutdown());
        Assert.Equal("last", TakeNext());
        Assert.Null(TakeNext(out _, out bool shutsDown));
        Assert.True(shutsDown);
        Assert.False(_queue.TryShutdown());
    }

    [Fact]
    public void A_closing_queue_without_frames_shuts_down_once()
    {
        Assert.False(_queue.TryShutdown());
        Assert.True(_queue.TryClose());

        Assert.True(_queue.TryShutdown());
        Assert.False(_queue.TryShutdown());
    }

    [Fact]
    public void The_end_of_a_connection_waits_until_its_link_was_shut_down()
    {
        Add("last", flush: true);
        _queue.TryClose();
        Assert.Equal("last", TakeNext());
        Assert.False(_queue.MustWaitForRoom(0, out _));
        Assert.True(_queue.MustWaitForSend(out Task changed));

        Assert.Null(TakeNext(out TaskCompletionSource? waiting, out bool shutsDown));
        Assert.True(shutsDown);
        Assert.Null(waiting);
        Assert.True(_queue.MustWaitForSend(out _));

        _queue.EndShutdown()!.SetResult();
        Assert.True(changed.IsCompleted);
        Assert.False(_queue.MustWaitForSend(out _));
    }

    [Fact]
    public void An_ended_queue_hands_out_nothing_but_what_is_to_be_dropped()
    {
        Add("never sent", flush: true);

        Assert.True(_queue.TryEnd());
        Assert.False(_queue.TryEnd());
        Assert.False(_queue.TryClose());

        Assert.Null(_queue.TakeNext(out OutboundBatch? dropped, out _, out _));
        Assert.Equal(10, dropped!.Bytes);
        dropped.Release(_services.Services);
        Assert.Equal(0, _queue.Bytes);
    }

    [Fact]
    public void What_waits_for_room_is_told_of_each_change_until_there_is_room_or_an_end()
    {
        Add("abc", flush: true);
        Assert.True(_queue.MustWaitForRoom(2, out Task changed));
        Assert.True(_queue.HasWaiters);

        Assert.Equal("abc", TakeNext(out TaskCompletionSource? waiting, out _));
        Assert.False(changed.IsCompleted);
        waiting!.SetResult();
        Assert.True(changed.IsCompleted);
        Assert.False(_queue.MustWaitForRoom(2, out _));

        Assert.True(_queue.MustWaitForSend(out changed));
        Assert.Null(TakeNext(out waiting, out _));
        Assert.NotNull(waiting);
        Assert.False(_queue.MustWaitForSend(out _));
        waiting.SetResult();
    }

    private NextSend Add(string text, bool flush)
    {
        Assert.True(_queue.TryBeginFrame(text.Length, out Span<byte> frame));
        Encoding.ASCII.GetBytes(text).CopyTo(frame);
        return _queue.EndFrame(text.Length, flush);
    }

    private Segment Rent(string text)
    {
        Segment segment = _services.Pool.RentSegment(text.Length);
        Encoding.ASCII.GetBytes(text).CopyTo(segment.Array, 0);
        segment.Written = text.Length;
        return segment;
    }

    private string? TakeNext() => TakeNext(out _, out _);

    /// <summary>Sends one batch, as a send loop does.</summary>
    private string? TakeNext(out TaskCompletionSource? waiting, out bool shutsDown)
    {
        OutboundBatch? batch = _queue.TakeNext(out OutboundBatch? dropped, out waiting, out shutsDown);
        Assert.Null(dropped);
        if (batch is null)
        {
            return null;
        }

        string text = string.Concat(batch.Seal().Select(static piece => Encoding.ASCII.GetString(piece)));
        int bytes = batch.Bytes;
        batch.Release(_services.Services);
        _queue.OnSent(bytes);
        return text;
    }
}
