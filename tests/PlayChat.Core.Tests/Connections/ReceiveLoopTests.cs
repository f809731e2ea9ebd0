using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

/// <summary>The receive loop with its dispatch and a sender, but without a connection.</summary>
public sealed class ReceiveLoopTests : IDisposable
{
    private readonly PartServices _services = new();
    private readonly RecordingControl _control = new();
    private readonly List<string> _frames = [];
    private readonly FrameSender _sender;
    private readonly ReceiveLoop _loop;

    public ReceiveLoopTests()
    {
        _sender = new FrameSender(_services.Link, _services.Services, _control);
        _loop = new ReceiveLoop(_services.Link, _services.Services, _sender, _control);
        _services.Handler.OnFrame = (Connection _, in Frame frame) => Note(in frame);
    }

    public void Dispose()
    {
        _sender.TryEnd();
        _services.Link.FeedEnd(CloseReason.PeerReset);
        Assert.True(SpinWait.SpinUntil(() => _control.Calls.Contains("ended"), TestTimeouts.Hang));
        _services.Dispose();
    }

    [Fact]
    public void Frames_are_handled_in_order_however_they_are_cut()
    {
        _loop.Run();
        byte[] stream = [.. Frame("a"), .. Frame("bc"), .. Frame("")];

        foreach (byte one in stream)
        {
            _services.Link.Feed(new[] { one });
        }

        Assert.Equal(["a", "bc", ""], _frames);
        Assert.Equal(stream.Length, _services.Metrics.Read(Counter.BytesReceived));
    }

    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(16, 1, 16)]
    [InlineData(16, 30_000, 3)] // more than 64 KB
    [InlineData(0, (15 * 1024) - 9, 1)] // with its header a byte less than a large receive
    [InlineData(0, (15 * 1024) - 8, 5)]
    [InlineData(0, 30_000, 3)] // large receives count by their bytes alone
    [InlineData(1, 30_000, 3)]
    public void A_peer_whose_bytes_are_always_there_gives_way_to_others(int receivesInARow, int bytes, int framesOfATurn)
    {
        using var queue = new ManualWorkQueue();
        _services.Link.ReceivesInARow = receivesInARow;
        var loop = new ReceiveLoop(_services.Link, _services.Services, _sender, _control);
        for (int i = 0; i < 40; i++)
        {
            _services.Link.Feed(Frame(new string('x', bytes)));
        }

        loop.Run();
        int first = _frames.Count;
        queue.RunNext();
        int second = _frames.Count;
        queue.RunAll();

        Assert.Equal((framesOfATurn, 2 * framesOfATurn, 40), (first, second, _frames.Count));
    }

    [Theory]
    [InlineData(0, 1, 1)]
    [InlineData(1, 1, 2)]
    [InlineData(0, 20_000, 2)] // a large receive counts by its bytes alone
    public void A_link_may_give_way_even_after_a_receive_that_waited(int receivesInARow, int bytes, int framesOfATurn)
    {
        using var queue = new ManualWorkQueue();
        _services.Link.ReceivesInARow = receivesInARow;
        var loop = new ReceiveLoop(_services.Link, _services.Services, _sender, _control);
        loop.Run();
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            if (_frames.Count == 0)
            {
                _services.Link.Feed(Frame("b")); // there before the loop receives again
            }

            return Note(in frame);
        };

        _services.Link.Feed(Frame(new string('a', bytes)));
        int first = _frames.Count;
        queue.RunAll();

        Assert.Equal((framesOfATurn, 2), (first, _frames.Count));
    }

    [Fact]
    public void The_answers_of_a_batch_go_out_in_one_send()
    {
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            _sender.Send("answer"u8, frame.Header);
            return default;
        };
        _loop.Run();

        _services.Link.Feed((byte[])[.. Frame("a"), .. Frame("b")]);

        Assert.Equal((1, 2), (_services.Link.Sends, (int)_services.Metrics.Read(Counter.FramesSent)));
    }

    [Theory]
    [InlineData(true, 20_000, "0 1 1 1 2 3 3")] // 64 KB make a turn of four; the first of a turn is answered at once
    [InlineData(true, 1_000, "0 1 2 3 4 5 6")]
    [InlineData(false, 20_000, "0 1 2 3 4 5 6")]
    public void The_answers_to_full_records_wait_for_the_end_of_the_turn(bool records, int bytes, string sendsBefore)
    {
        using var queue = new ManualWorkQueue();
        _services.Link.IsOfRecords = records;
        List<int> sends = AnswerAll();
        byte[][] frames = [.. Enumerable.Range('a', 7).Select(letter => Frame(new string((char)letter, bytes)))];
        foreach (byte[] frame in frames)
        {
            _services.Link.Feed(frame);
        }

        _loop.Run();
        queue.RunAll();

        Assert.Equal(sendsBefore, string.Join(' ', sends));
        Assert.Equal(frames.SelectMany(static frame => frame), _services.Link.Sent!.ToArray()); // nothing is held, and all is in order
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task No_answer_is_held_while_a_handler_waits(bool ofSecondFrame)
    {
        _services.Link.IsOfRecords = true;
        var work = new TaskCompletionSource();
        int waitsAt = ofSecondFrame ? 3 : 2;
        AnswerAll(() => new ValueTask(_frames.Count == waitsAt ? work.Task : Task.CompletedTask));
        byte[][] records = [Frame(new string('a', 20_000)), [.. Frame(new string('b', 20_000)), .. Frame("c")]];
        _services.Link.Feed(records[0]);
        _services.Link.Feed(records[1]);

        _loop.Run();

        Assert.Equal(records[0].Length + records[1].Length - (ofSecondFrame ? 0 : Frame("c").Length), _services.Link.SentBytes);
        work.SetResult();
        await Eventually.TrueAsync(() => _services.Link.IsReceiving);
        Assert.Equal(records.SelectMany(static record => record), _services.Link.Sent!.ToArray());
    }

    [Fact]
    public void A_connection_that_closes_sends_the_answers_that_are_held_before_it_shuts_down()
    {
        _services.Link.IsOfRecords = true;
        AnswerAll(() =>
        {
            if (_frames.Count == 3)
            {
                _sender.TryClose();
            }

            return default;
        });
        foreach (char letter in "abc")
        {
            _services.Link.Feed(Frame(new string(letter, 16_000)));
        }

        _loop.Run();

        Assert.Equal(3 * Frame(new string('a', 16_000)).Length, _services.Link.SentBytes);
        Assert.True(_services.Link.IsShutdown);
    }

    [Fact]
    public void Answers_that_fill_more_than_a_sixteenth_of_the_queue_are_not_held()
    {
        _services.Services.Options.MaxOutboundBytes = 320_000;
        _services.Link.IsOfRecords = true;
        using var queue = new ManualWorkQueue();
        var sender = new FrameSender(_services.Link, _services.Services, _control);
        var loop = new ReceiveLoop(_services.Link, _services.Services, sender, _control);
        var sends = new List<int>();
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            sends.Add(_services.Link.Sends);
            sender.Send(in frame);
            return default;
        };
        foreach (char letter in "abcd")
        {
            _services.Link.Feed(Frame(new string(letter, 15_500)));
        }

        loop.Run();
        queue.RunAll();

        Assert.Equal([0, 1, 1, 2], sends); // the second and third answers together have more than 20,000 bytes
        Assert.Equal(0, _services.Metrics.Read(Counter.ReadPauses));
    }

    [Fact]
    public void A_held_answer_makes_room_for_one_that_is_as_large_as_the_queue()
    {
        _services.Services.Options.MaxOutboundBytes = 64_000;
        _services.Link.IsOfRecords = true;
        var sender = new FrameSender(_services.Link, _services.Services, _control);
        var loop = new ReceiveLoop(_services.Link, _services.Services, sender, _control);
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            Assert.True(sender.Send(new byte[_frames.Count < 2 ? 3_000 : 62_000], frame.Header));
            return Note(in frame);
        };
        foreach (char letter in "abc")
        {
            _services.Link.Feed(Frame(new string(letter, 16_000)));
        }

        loop.Run();

        Assert.Equal("abc", string.Concat(_frames.Select(static frame => frame[0])));
        Assert.InRange(_services.Link.SentBytes, 68_000, 68_100);
        Assert.Empty(_control.Calls);
    }

    [Fact]
    public void Frames_that_go_back_as_they_came_are_sent_from_where_they_were_received()
    {
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            Assert.True(_sender.Send(in frame));
            return default;
        };
        _services.Link.HoldSends = true;
        _loop.Run();
        byte[] batch = [.. Frame("a"), .. Frame("b")];

        _services.Link.Feed(batch);

        Assert.Equal(batch, _services.Link.Sent!.ToArray());
        _services.Link.HoldSends = false;
        _services.Link.CompleteSend();
        _services.Link.Feed(batch);
        Assert.Equal([.. batch, .. batch], _services.Link.Sent.ToArray());
    }

    [Fact]
    public async Task Nothing_is_received_while_a_handler_waits_and_its_silence_is_excused()
    {
        var work = new TaskCompletionSource();
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            _frames.Add(Encoding.ASCII.GetString(frame.ToArray()));
            return new ValueTask(work.Task);
        };
        _loop.Run();
        Assert.False(_loop.TryExcuseSilence(1));

        _services.Link.Feed((byte[])[.. Frame("a"), .. Frame("b")]);

        Assert.Equal(["a"], _frames);
        Assert.False(_services.Link.IsReceiving);
        Assert.True(_loop.TryExcuseSilence(123));
        Assert.Equal(123, _loop.LastReceiveTimestamp);
        work.SetResult();
        await Eventually.TrueAsync(() => _services.Link.IsReceiving);
        Assert.Equal(["a", "b"], _frames);
    }

    [Fact]
    public void A_handler_that_throws_closes_and_the_frames_behind_it_are_not_handled()
    {
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            _frames.Add(Encoding.ASCII.GetString(frame.ToArray()));
            _sender.TryClose();
            throw new FormatException();
        };
        _loop.Run();

        _services.Link.Feed((byte[])[.. Frame("a"), .. Frame("b")]);

        Assert.Equal(["a"], _frames);
        Assert.Equal(["tell and close HandlerFault"], _control.Calls);
        Assert.Equal(1, _services.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public void A_frame_that_is_too_large_closes_by_its_header_alone()
    {
        _loop.Run();

        _services.Link.Feed(new byte[] { 0xff, 0xff, 0xff, 0xff });

        Assert.Equal(["tell and close FrameTooLarge"], _control.Calls);
    }

    [Fact]
    public void A_frame_has_its_time_from_its_first_byte_however_slowly_the_rest_comes()
    {
        _loop.Run();
        byte[] frame = Frame("abc");
        _services.Link.Feed((byte[])[.. Frame("whole"), frame[0]]);

        for (int second = 1; second <= 5; second++)
        {
            _services.Time.Advance(TimeSpan.FromSeconds(1));
            Assert.False(IsOverdue());
            _services.Link.Feed(frame.AsMemory(second, 1));
        }

        _services.Time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.True(IsOverdue());
        _services.Link.Feed(frame.AsMemory(6));
        Assert.False(IsOverdue());
        Assert.Equal(["whole", "abc"], _frames);
    }

    [Fact]
    public void A_partial_frame_behind_whole_ones_has_its_own_time()
    {
        _loop.Run();
        byte[] frame = Frame("abc");
        _services.Link.Feed(frame.AsMemory(0, 1));

        for (int i = 0; i < 10; i++)
        {
            _services.Time.Advance(TimeSpan.FromSeconds(1));
            _services.Link.Feed((byte[])[.. frame[1..], frame[0]]); // ends one, begins the next
            Assert.False(IsOverdue());
        }
    }

    [Fact]
    public void A_large_frame_has_a_second_more_for_each_kilobyte_that_has_come()
    {
        _loop.Run();
        byte[] frame = Frame(new string('x', 20_000));
        _services.Link.Feed(frame.AsMemory(0, 10_238));

        for (int i = 0; i < 3; i++)
        {
            _services.Time.Advance(TimeSpan.FromSeconds(5));
            Assert.False(IsOverdue());
            _services.Link.Feed(frame.AsMemory(10_238 + i, 1));
        }

        _services.Time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.True(IsOverdue());
    }

    [Fact]
    public void A_large_frame_that_pauses_is_overdue()
    {
        _loop.Run();
        byte[] frame = Frame(new string('x', 20_000));
        _services.Link.Feed(frame.AsMemory(0, 10_240));

        _services.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.False(IsOverdue());
        _services.Time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.True(IsOverdue());
    }

    [Fact]
    public void A_message_that_the_link_gathers_has_the_time_of_a_frame()
    {
        _loop.Run();

        for (int second = 1; second <= 5; second++)
        {
            _services.Link.FeedNothing(unfinished: second);
            Assert.False(IsOverdue());
            _services.Time.Advance(TimeSpan.FromSeconds(1));
        }

        _services.Link.FeedNothing(unfinished: 6);
        _services.Time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.True(IsOverdue());

        _services.Link.FeedNothing(unfinished: 0);
        Assert.False(IsOverdue());
    }

    [Fact]
    public async Task The_time_in_which_a_handler_waits_is_not_the_frames()
    {
        var work = new TaskCompletionSource();
        _services.Handler.OnFrame = (Connection _, in Frame frame) => new ValueTask(work.Task);
        _loop.Run();
        _services.Link.Feed((byte[])[.. Frame("a"), 0]);

        _services.Time.Advance(TimeSpan.FromSeconds(60));
        Assert.False(IsOverdue());
        work.SetResult();
        await Eventually.TrueAsync(() => _services.Link.IsReceiving);

        Assert.False(IsOverdue());
        _services.Time.Advance(TimeSpan.FromSeconds(5.1));
        Assert.True(IsOverdue());
    }

    [Fact]
    public async Task The_time_in_which_the_peer_must_read_first_is_not_the_frames()
    {
        _services.Services.Options.MaxOutboundBytes = 64_000;
        _services.Link.HoldSends = true;
        var sender = new FrameSender(_services.Link, _services.Services, _control);
        var loop = new ReceiveLoop(_services.Link, _services.Services, sender, _control);
        loop.Run();
        Assert.True(sender.Send(new byte[40_000], new FrameHeader(1)));
        _services.Link.Feed((byte[])[.. Frame("a"), 0]);
        Assert.Equal(1, _services.Metrics.Read(Counter.ReadPauses));

        _services.Time.Advance(TimeSpan.FromSeconds(50));
        Assert.False(IsOverdue(loop));
        _services.Link.CompleteSend();
        await Eventually.TrueAsync(() => _services.Link.IsReceiving);

        Assert.False(IsOverdue(loop));
        _services.Time.Advance(TimeSpan.FromSeconds(5.1));
        Assert.True(IsOverdue(loop));
    }

    [Theory]
    [InlineData(CloseReason.PeerClosed, "close PeerClosed", "delivered")]
    [InlineData(CloseReason.PeerReset, "abort PeerReset", null)]
    public async Task The_end_of_the_link_ends_the_connection(CloseReason reason, string first, string? second)
    {
        _loop.Run();

        _services.Link.FeedEnd(reason);

        await Eventually.TrueAsync(() => _control.Calls.Contains("ended"));
        Assert.Equal([first, .. second is null ? Array.Empty<string>() : [second], "ended"], _control.Calls);
    }

    private bool IsOverdue(ReceiveLoop? loop = null) =>
        (loop ?? _loop).IsFrameOverdue(_services.Time.GetTimestamp(), TimeSpan.FromSeconds(5));

    private static byte[] Frame(string body)
    {
        FrameFormat format = FrameFormat.Packet();
        byte[] frame = new byte[format.GetEncodedBytes(body.Length)];
        format.Encode(Encoding.ASCII.GetBytes(body), new FrameHeader(1), frame);
        return frame;
    }

    /// <summary>Sends every frame back.</summary>
    /// <returns>The number of sends before each frame.</returns>
    private List<int> AnswerAll(Func<ValueTask>? then = null)
    {
        var sends = new List<int>();
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            sends.Add(_services.Link.Sends);
            Assert.True(_sender.Send(in frame));
            ValueTask noted = Note(in frame);
            return then?.Invoke() ?? noted;
        };
        return sends;
    }

    private ValueTask Note(in Frame frame)
    {
        _frames.Add(Encoding.ASCII.GetString(frame.ToArray()));
        return default;
    }
}
