using System.Text;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;

namespace PlayChat.Core.Tests.Connections;

/// <summary>The cork with its queue, for a batch that no receive loop runs.</summary>
public sealed class AnswerCorkTests : IDisposable
{
    private readonly PartServices _services = new(static options => options.MaxOutboundBytes = 4096);
    private readonly FrameSender _sender; // names whose batch it is; it sends nothing
    private OutboundQueue _queue;
    private AnswerCork _cork;

    public AnswerCorkTests()
    {
        _sender = new FrameSender(_services.Link, _services.Services, new RecordingControl());
        _queue = new OutboundQueue(_services.Services, gate: new object());
        _cork = new AnswerCork(_services.Services);
    }

    public void Dispose()
    {
        _queue.Drop();
        _services.Dispose();
    }

    [Fact]
    public void The_answers_of_a_batch_are_one_piece_of_memory()
    {
        using var batch = new Batch(this);

        FramePlace[] places = [Answer("ab"), Answer("c")];

        Assert.Equal([FramePlace.Answers, FramePlace.Answers], places);
        Assert.Equal((true, 3, 0), (_queue.IsCorked, _queue.AllBytes - _queue.Bytes, _queue.Bytes));
        Assert.Equal(("abc", 2), batch.Take());
    }

    [Fact]
    public void Answers_that_outgrow_their_memory_stay_in_order()
    {
        using var batch = new Batch(this);
        string first = new('a', 900);
        string second = new('b', 900);

        FramePlace[] places = [Answer(first), Answer(second), Answer("c")];

        Assert.Equal([FramePlace.Answers, FramePlace.Cork, FramePlace.Cork], places);
        Assert.Equal((first + second + "c", 3), batch.Take());
    }

    [Theory]
    [InlineData("", FramePlace.Answers)]
    [InlineData("before ", FramePlace.Cork)]
    public void Frames_that_are_queued_before_or_between_answers_keep_their_place(string before, object firstPlace)
    {
        using var batch = new Batch(this);
        if (before.Length > 0)
        {
            Queue(before);
        }

        Assert.Equal(firstPlace, Answer("first "));
        Queue("between ");
        Assert.Equal(FramePlace.Cork, Answer("second"));

        Assert.Equal((before + "first between second", before.Length > 0 ? 4 : 3), batch.Take());
    }

    [Fact]
    public void Frames_that_go_back_one_behind_the_other_are_not_copied()
    {
        using var batch = new Batch(this, "abcdef");
        long rents = _services.Pool.Statistics.Rents;

        Assert.True(Relay(0, 2));
        Assert.True(Relay(2, 3));

        Assert.Equal(rents, _services.Pool.Statistics.Rents);
        Assert.Equal((2, "abcde", 5), (BatchContext.Current.RunFrames, Text(BatchContext.Current.Run), _queue.AllBytes - _queue.Bytes));
        Assert.Equal(("abcde", 2), batch.Take());
    }

    [Fact]
    public void A_frame_that_does_not_follow_or_is_another_connections_is_not_relayed()
    {
        using var batch = new Batch(this, "abcdef");
        var other = new FrameSender(_services.Link, _services.Services, new RecordingControl());

        Assert.False(AnswerCork.TryRelay(ref _queue, BatchContext.Current, other, 0, 1));
        Assert.True(Relay(0, 2));
        Assert.False(Relay(3, 2)); // the frame between them was not sent back
        Assert.False(Relay(0, 2)); // twice
        Assert.False(AnswerCork.TryRelay(ref _queue, BatchContext.Current, other, 2, 1));

        Assert.Equal(("ab", 1), batch.Take());
    }

    [Fact]
    public void A_frame_is_not_relayed_before_frames_that_wait_or_beyond_the_bound()
    {
        using var batch = new Batch(this, new string('a', 5000));
        Queue("waits");
        Assert.False(Relay(0, 2));
        Assert.False(_queue.IsCorked);

        _queue.Drop();
        Assert.True(Relay(0, 4000));
        Assert.False(Relay(4000, 100));

        Assert.Equal(4000, _queue.AllBytes - _queue.Bytes);
        Assert.Equal((new string('a', 4000), 1), batch.Take());
    }

    [Fact]
    public void An_answer_behind_relayed_frames_is_written_behind_a_copy_of_them()
    {
        using var batch = new Batch(this, "abcdef");
        Relay(0, 2);
        Relay(2, 2);

        Assert.Equal(FramePlace.Answers, Answer("X"));
        batch.Overwrite();

        Assert.Equal(("abcdX", 3), batch.Take());
    }

    [Fact]
    public void Relayed_frames_that_have_to_wait_are_copied_out_of_the_receive_buffer()
    {
        using var batch = new Batch(this, "abcdef");
        Relay(0, 3);

        OutboundBatch taken = batch.TakeBatch()!;
        batch.Overwrite();

        Assert.Equal("abc", TextOf(taken));
        taken.Release(_services.Services);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_queue_that_is_full_or_closed_takes_no_answer_and_stays_uncorked(bool closed)
    {
        using var batch = new Batch(this, "abc");
        Queue(new string('q', 4090));
        if (closed)
        {
            _queue.Drop();
            _queue.TryClose();
        }

        Assert.Equal(FramePlace.None, Answer("too long"));
        Assert.False(closed && Relay(0, 1));

        Assert.False(_queue.IsCorked);
        Assert.Null(batch.TakeBatch());
    }

    private static string Text(ReadOnlySpan<byte> bytes) => Encoding.ASCII.GetString(bytes);

    private static string TextOf(OutboundBatch batch) => string.Concat(batch.Seal().Select(static piece => Text(piece)));

    private bool Relay(int start, int bytes) => AnswerCork.TryRelay(ref _queue, BatchContext.Current, _sender, start, bytes);

    private FramePlace Answer(string text)
    {
        FramePlace place = _cork.Reserve(ref _queue, BatchContext.Current, text.Length, out Span<byte> frame);
        if (place != FramePlace.None)
        {
            Encoding.ASCII.GetBytes(text).CopyTo(frame);
            _cork.EndFrame(ref _queue, place, text.Length);
        }

        return place;
    }

    /// <summary>Queues a frame as another thread does.</summary>
    private void Queue(string text)
    {
        Assert.True(_queue.TryBeginFrame(text.Length, out Span<byte> frame));
        Encoding.ASCII.GetBytes(text).CopyTo(frame);
        _queue.EndFrame(text.Length, flush: false);
    }

    /// <summary>A batch of the thread that makes it.</summary>
    private sealed class Batch : IDisposable
    {
        private readonly AnswerCorkTests _test;
        private readonly Segment _inbound;
        private readonly BatchContext.Work _outer;

        internal Batch(AnswerCorkTests test, string received = "")
        {
            _test = test;
            _inbound = test._services.Pool.RentSegment(Math.Max(1, received.Length));
            Encoding.ASCII.GetBytes(received).CopyTo(_inbound.Array, 0);
            _outer = BatchContext.Current.Begin(loop: null!, test._sender, _inbound); // the cork does not ask whose loop it is
        }

        /// <summary>What comes next is received.</summary>
        internal void Overwrite() => _inbound.Array.AsSpan().Fill((byte)'?');

        internal OutboundBatch? TakeBatch()
        {
            BatchContext.Work own = BatchContext.Current.TakeAnswers();
            return _test._cork.Take(own.Answers, in own);
        }

        /// <summary>What the batch has answered, and how many frames that is.</summary>
        internal (string Text, int Frames) Take()
        {
            OutboundBatch batch = TakeBatch()!;
            (string Text, int Frames) taken = (TextOf(batch), batch.Frames);
            batch.Release(_test._services.Services);
            return taken;
        }

        public void Dispose()
        {
            BatchContext.Current.End(in _outer);
            _inbound.Release();
        }
    }
}
