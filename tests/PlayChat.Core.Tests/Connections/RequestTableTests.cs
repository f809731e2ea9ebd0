using PlayChat.Core.Connections;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Connections;

public sealed class RequestTableTests
{
    private readonly RequestTable _table = new(connectionId: 7, limit: 2);

    [Fact]
    public async Task An_answer_completes_its_own_request_once()
    {
        TestRequest first = Begin();
        TestRequest second = Begin();

        Assert.Equal(AnswerResult.Taken, Answer(second.Id));
        Assert.Equal(AnswerResult.Dropped, Answer(second.Id));

        await second.Task;
        Assert.Null(second.Error);
        Assert.False(first.Task.IsCompleted);
    }

    [Fact]
    public void A_frame_without_a_request_id_or_of_a_kind_that_was_never_awaited_is_no_answer()
    {
        TestRequest request = Begin();

        Assert.Equal(AnswerResult.NoAnswer, Answer(0));
        Assert.Equal(AnswerResult.NoAnswer, Answer(request.Id, packetId: 5));
        Assert.False(request.Task.IsCompleted);
    }

    [Fact]
    public void The_limit_counts_requests_that_wait()
    {
        TestRequest first = Begin();
        Begin();

        Assert.Throws<TooManyRequestsException>(Begin);
        _table.End(first);
        _table.End(first); // may be repeated

        Assert.Equal(3, Begin().Id);
    }

    [Fact]
    public void Late_answers_are_dropped_and_only_those_never_asked_for_become_too_many()
    {
        for (int i = 0; i < 10; i++)
        {
            TestRequest late = Begin();
            _table.End(late);
            Assert.Equal(AnswerResult.Dropped, Answer(late.Id));
        }

        Assert.Equal([AnswerResult.Dropped, AnswerResult.Dropped, AnswerResult.TooMany, AnswerResult.Dropped], Enumerable.Range(
            0, 4).Select(_ => Answer(99)));
    }

    [Fact]
    public async Task A_closed_table_fails_all_requests_with_the_first_reason()
    {
        TestRequest waiting = Begin();

        _table.Close(CloseReason.PeerReset);
        _table.Close(CloseReason.IdleTimeout);

        await waiting.Task;
        ConnectionClosedException failure = Assert.IsType<ConnectionClosedException>(waiting.Error);
        Assert.Equal((7, CloseReason.PeerReset), (failure.ConnectionId, failure.Reason));
        Assert.Equal(CloseReason.PeerReset, Assert.Throws<ConnectionClosedException>(Begin).Reason);
    }

    private TestRequest Begin()
    {
        var request = new TestRequest();
        _table.Begin(request, [TestRequest.Reply]);
        return request;
    }

    private AnswerResult Answer(ushort requestId, ushort packetId = TestRequest.Reply)
    {
        FrameData data = FrameData.OfBody(default, new FrameHeader(packetId, requestId));
        return _table.TryAnswer(new Frame(in data));
    }
}
