using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

/// <summary>The dispatch of frames with a sender, but without a connection and without receives.</summary>
public sealed class FrameDispatchTests : IDisposable
{
    private readonly PartServices _services = new(static options => (options.MaxOutboundBytes, options.MaxRequests) = (4096, 2));
    private readonly RecordingControl _control = new() { CloseReason = CloseReason.PeerReset };
    private readonly FrameSender _sender;
    private FrameDispatch _dispatch;
    private InboundBuffer _inbound;

    public FrameDispatchTests()
    {
        _sender = new FrameSender(_services.Link, _services.Services, _control);
        _dispatch = new FrameDispatch(_services.Services, _sender, _control);
    }

    public void Dispose()
    {
        _inbound.Release();
        _sender.TryEnd();
        _sender.Drop();
        _services.Dispose();
    }

    [Fact]
    public void A_handler_that_returns_lets_the_next_frame_come_and_one_that_waits_pauses_the_batch()
    {
        var work = new TaskCompletionSource();
        Assert.Equal(FrameVerdict.Continue, Handle());

        _services.Handler.OnFrame = (Connection _, in Frame _) => new ValueTask(work.Task);
        Assert.Equal(FrameVerdict.Pause, Handle());

        ValueTask waiting = _dispatch.BeginWait();
        Assert.Equal((true, false), (_dispatch.IsWaiting, waiting.IsCompleted));
        work.SetResult();
        Assert.True(_dispatch.EndWait());
        Assert.False(_dispatch.IsWaiting);
    }

    [Fact]
    public void A_handler_that_closes_stops_the_batch_also_after_it_has_waited()
    {
        _services.Handler.OnFrame = (Connection _, in Frame _) =>
        {
            _sender.TryClose();
            return default;
        };

        Assert.Equal(FrameVerdict.Stop, Handle());
        Assert.False(_dispatch.EndWait());
    }

    [Fact]
    public void A_connection_that_is_not_open_handles_nothing()
    {
        _sender.TryClose();

        FrameBatch batch = Dispatch("a");

        Assert.Equal((FrameVerdict.Stop, 0, 0L), (batch.Verdict, batch.Frames, batch.ConsumedBytes));
        Assert.Equal(0, _services.Handler.Frames);
    }

    [Fact]
    public void A_batch_is_counted_and_its_answers_go_out_in_one_send_and_count_as_one_latency_for_each_frame()
    {
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            _sender.Send("answer"u8, frame.Header);
            return default;
        };

        FrameBatch batch = Dispatch("a", "b", "c");

        Assert.Equal((FrameVerdict.Continue, 3), (batch.Verdict, batch.Frames));
        Assert.Equal(1, _services.Link.Sends);
        Assert.Equal(3, _services.Metrics.Read(Counter.FramesReceived));
        Assert.Equal(3, _services.Metrics.Read(Counter.FramesSent));
    }

    [Fact]
    public void Many_answers_are_sent_before_the_next_frame_is_handled()
    {
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            _sender.Send(new byte[3000], frame.Header);
            return default;
        };

        FrameBatch batch = Dispatch("a", "b");

        Assert.Equal((FrameVerdict.Pause, 1), (batch.Verdict, batch.Frames));
        Assert.Equal(1, _services.Link.Sends);
    }

    [Fact]
    public void A_handler_that_throws_is_a_fault_that_closes_and_what_it_has_answered_before_is_sent()
    {
        _services.Handler.OnFrame = (Connection _, in Frame frame) =>
        {
            _sender.Send("answer"u8, frame.Header);
            throw new FormatException();
        };

        FrameBatch batch = Dispatch("a", "b");

        Assert.Equal(FrameVerdict.Stop, batch.Verdict);
        Assert.Equal((1, 1), (_services.Handler.Frames, _services.Link.Sends));
        Assert.Equal(["tell and close HandlerFault"], _control.Calls);
        Assert.Equal((1, 1), (_services.Logger.Count("HandlerFault"), (int)_services.Metrics.Read(Counter.HandlerFaults)));
    }

    [Fact]
    public void A_slow_handler_of_an_event_loop_is_counted_and_takes_no_line_from_those_of_other_threads()
    {
        _services.Handler.OnFrame = (Connection _, in Frame _) =>
        {
            _services.Time.Advance(TimeSpan.FromMilliseconds(150));
            return default;
        };
        var engine = new Thread(() =>
        {
            using var queue = new ManualWorkQueue();
            Dispatch("a");
        });
        engine.Start();
        Assert.True(engine.Join(TestTimeouts.Hang));
        Assert.Equal((1, 0), (_services.Metrics.Read(Counter.SlowHandlers), _services.Logger.Count("SlowHandler")));

        Dispatch("b");

        Assert.Equal((2, 1), (_services.Metrics.Read(Counter.SlowHandlers), _services.Logger.Count("SlowHandler")));
        Assert.Contains(" 0 such lines before it", _services.Logger.Entries.Last().Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_handler_that_only_notices_the_end_has_no_fault()
    {
        _dispatch.OnFault(new ConnectionClosedException(_control.Id, CloseReason.PeerReset));
        _sender.TryEnd();
        _dispatch.OnFault(new OperationCanceledException());

        Assert.Empty(_control.Calls);
        Assert.Equal(0, _services.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public void The_end_of_another_connection_and_a_cancellation_of_the_handlers_own_are_faults()
    {
        _dispatch.OnFault(new ConnectionClosedException(_control.Id + 1, CloseReason.PeerReset));
        _dispatch.OnFault(new OperationCanceledException());

        Assert.Equal(["tell and close HandlerFault", "tell and close HandlerFault"], _control.Calls);
    }

    [Theory]
    [InlineData(true, CloseReason.FrameTooLarge)]
    [InlineData(false, CloseReason.ProtocolViolation)]
    public void A_frame_that_cannot_be_read_is_refused_with_its_reason(bool tooLarge, CloseReason reason)
    {
        _dispatch.Refuse(tooLarge ? DecodeStatus.TooLarge : DecodeStatus.Malformed, start: default);

        Assert.Equal([$"tell and close {reason}"], _control.Calls);
        Assert.Equal(1, _services.Metrics.Read(Counter.ProtocolViolations));
    }

    [Fact]
    public void Bad_frames_of_one_address_are_one_line_in_ten_seconds_and_the_next_line_counts_them()
    {
        for (int i = 0; i < 5; i++)
        {
            _dispatch.Refuse(DecodeStatus.Malformed, start: default);
        }

        Assert.Equal(1, _services.Logger.Count("BadFrame"));
        _services.Time.Advance(TimeSpan.FromSeconds(10));
        _dispatch.Refuse(DecodeStatus.Malformed, start: default);

        Assert.Equal(2, _services.Logger.Count("BadFrame"));
        Assert.Contains("4 bad frames of its address", _services.Logger.Entries.Last().Text, StringComparison.Ordinal);
        Assert.Equal(6, _services.Metrics.Read(Counter.ProtocolViolations));
    }

    [Fact]
    public async Task An_answer_goes_to_its_request_and_not_to_the_handler()
    {
        Assert.Null(_dispatch.Requests);
        var request = new TestRequest();
        _dispatch.BeginRequest(request);

        Assert.Equal(FrameVerdict.Continue, Handle(new FrameHeader(TestRequest.Reply, request.Id)));
        Assert.Equal(FrameVerdict.Continue, Handle(new FrameHeader(TestRequest.Reply, request.Id))); // twice: dropped

        await request.Task;
        Assert.Null(request.Error);
        Assert.Equal((0, 1), (_services.Handler.Frames, (int)_services.Metrics.Read(Counter.AnswersDropped)));
    }

    [Fact]
    public void Answers_that_no_request_awaits_are_a_violation_when_they_are_too_many()
    {
        _dispatch.BeginRequest(new TestRequest());

        for (int i = 0; i < 3; i++)
        {
            Handle(new FrameHeader(TestRequest.Reply, RequestId: 99));
        }

        Assert.Equal(["tell and close ProtocolViolation"], _control.Calls);
        Assert.Equal(3, _services.Metrics.Read(Counter.AnswersDropped));
    }

    [Fact]
    public async Task A_request_that_begins_after_the_connection_has_closed_fails_with_its_reason()
    {
        _sender.TryClose();
        var request = new TestRequest();

        _dispatch.BeginRequest(request);

        await request.Task;
        Assert.Equal(CloseReason.PeerReset, Assert.IsType<ConnectionClosedException>(request.Error).Reason);
    }

    private FrameVerdict Handle(FrameHeader header = default)
    {
        FrameData data = FrameData.OfBody(default, header);
        return _dispatch.OnFrame(new Frame(in data));
    }

    /// <summary>Has frames handled that have been received together.</summary>
    private FrameBatch Dispatch(params string[] bodies)
    {
        FrameFormat format = _services.Services.Format;
        byte[] received = [.. bodies.SelectMany(body =>
        {
            byte[] frame = new byte[format.GetEncodedBytes(body.Length)];
            format.Encode(Encoding.ASCII.GetBytes(body), new FrameHeader(1), frame);
            return frame;
        })];
        received.CopyTo(_inbound.GetMemory(missing: 0, _services.Pool));
        _inbound.Advance(received.Length);

        // The loop is only the way of a frame back to a dispatch, which has the same sender and the same handler.
        var loop = new ReceiveLoop(_services.Link, _services.Services, _sender, _control);
        bool keepsInbound = false;
        FrameBatch batch =
            _dispatch.Dispatch(loop, ref _inbound, offset: 0, receivedAt: 0, received.Length, holds: false, ref keepsInbound);
        Assert.False(keepsInbound);
        return batch;
    }
}
