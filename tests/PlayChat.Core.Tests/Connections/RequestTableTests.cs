using System.Threading.Tasks.Sources;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class RequestTableTests
{
    private const ushort Failure = 200; // a kind of packet that fails any request

    private readonly ManualTimeProvider _time = new();
    private readonly RequestTable _table;

    public RequestTableTests() => _table = Create(limit: 2);

    [Fact]
    public async Task An_answer_completes_its_own_request_once()
    {
        TestRequest first = Begin();
        TestRequest second = Begin();

        Assert.Equal(AnswerResult.Taken, Answer(second.Id));
        Assert.Equal(AnswerResult.Dropped, Answer(second.Id));

        await second.Task;
        Assert.Null(second.Error);
        Assert.False(first.IsCompleted);
    }

    [Fact]
    public void A_frame_without_a_request_id_or_of_a_kind_that_was_never_awaited_is_no_answer()
    {
        TestRequest request = Begin();

        Assert.Equal(AnswerResult.NoAnswer, Answer(0));
        Assert.Equal(AnswerResult.NoAnswer, Answer(request.Id, packetId: 5));
        Assert.False(request.IsCompleted);
        Assert.Equal((ushort?)5, request.OtherPacketId);
    }

    [Fact]
    public void A_failure_answers_any_request()
    {
        TestRequest request = Begin();

        Assert.Equal(AnswerResult.Taken, Answer(request.Id, Failure));
        Assert.True(request.IsCompleted);
    }

    [Fact]
    public void The_limit_counts_requests_that_wait()
    {
        TestRequest first = Begin();
        Begin();

        Assert.Throws<TooManyRequestsException>(() => Begin());
        Assert.True(_table.TryEnd(first));
        Assert.False(_table.TryEnd(first)); // may be repeated

        Assert.Equal(3, Begin().Id);
    }

    [Fact]
    public void Late_answers_are_dropped_and_only_those_never_asked_for_become_too_many()
    {
        for (int i = 0; i < 10; i++)
        {
            TestRequest late = Begin();
            _table.TryEnd(late);
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
        Assert.Equal(CloseReason.PeerReset, Assert.Throws<ConnectionClosedException>(() => Begin()).Reason);
    }

    [Fact]
    public void Requests_beyond_any_number_of_slots_get_their_own_answers_in_any_order()
    {
        RequestTable table = Create(limit: ushort.MaxValue);
        TestRequest[] requests = [.. Enumerable.Range(0, ushort.MaxValue).Select(_ => Begin(table))];
        Assert.Throws<TooManyRequestsException>(() => Begin(table));
        Assert.Equal(Enumerable.Range(1, ushort.MaxValue), requests.Select(static request => (int)request.Id));

        TestRequest[] shuffled = [.. requests];
        new Random(1).Shuffle(shuffled);
        foreach (TestRequest request in shuffled)
        {
            Assert.False(request.IsCompleted);
            Assert.Equal(AnswerResult.Taken, Answer(request.Id, table: table));
            Assert.True(request.IsCompleted);
        }
    }

    [Fact]
    public void The_id_of_a_request_that_was_given_up_is_not_used_before_its_answer_has_come()
    {
        TestRequest late = Begin();
        Assert.True(_table.TryEnd(late));
        TestRequest unsent = Begin();
        Assert.True(_table.TryEnd(unsent, wasSent: false)); // no answer can come

        Assert.Equal([.. Enumerable.Range(3, ushort.MaxValue - 2), unsent.Id], NextIds(ushort.MaxValue - 1));
        Assert.Equal(AnswerResult.Dropped, Answer(late.Id));

        Assert.Equal([.. Enumerable.Range(3, ushort.MaxValue - 2), late.Id], NextIds(ushort.MaxValue - 1));
    }

    [Fact]
    public void The_oldest_ids_are_used_again_when_the_peer_does_not_answer_at_all()
    {
        RequestTable table = Create(limit: 40_000);
        for (int i = 0; i < 40_000; i++)
        {
            Assert.True(table.TryEnd(Begin(table)));
        }

        for (int i = 40_001; i <= ushort.MaxValue; i++)
        {
            Assert.Equal(i, Begin(table).Id);
        }

        Assert.Equal([1, 2, 3], Enumerable.Range(0, 3).Select(_ => (int)Begin(table).Id));
    }

    [Fact]
    public void Each_request_times_out_at_its_own_deadline_and_one_timer_serves_all()
    {
        RequestTable table = Create(limit: 10);
        TestRequest third = Begin(table, seconds: 3);
        TestRequest first = Begin(table, seconds: 1);
        TestRequest second = Begin(table, seconds: 2);
        TestRequest never = Begin(table);
        TestRequest answered = Begin(table, seconds: 1);
        Answer(answered.Id, table: table);

        Assert.Equal((1, TimeSpan.FromSeconds(1)), (_time.PendingTimers, _time.UntilNextTimer));
        _time.Advance(TimeSpan.FromSeconds(1) - TimeSpan.FromTicks(1));
        Assert.False(first.IsCompleted);
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.Equal((true, false, false), (first.IsCompleted, second.IsCompleted, third.IsCompleted));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((true, false), (second.IsCompleted, third.IsCompleted));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(third.IsCompleted);

        Assert.All([first, second, third], static late => Assert.IsType<TimeoutException>(late.Error));
        Assert.Null(answered.Error);
        Assert.Equal((false, 0), (never.IsCompleted, _time.PendingTimers));
        Assert.Equal(AnswerResult.Dropped, Answer(first.Id, table: table));
    }

    [Fact]
    public void A_request_that_begins_after_its_deadline_leaves_the_later_ones_their_timer()
    {
        TestRequest late = Begin(seconds: -0.001);
        TestRequest next = Begin(seconds: 1);

        _time.Advance(TimeSpan.FromSeconds(2));

        Assert.All([late, next], static request => Assert.IsType<TimeoutException>(request.Error));
    }

    [Fact]
    public async Task A_request_that_begins_after_its_deadline_times_out_on_the_systems_clock_too()
    {
        var table = new RequestTable(connectionId: 7, limit: 2, [Failure], TimeProvider.System);
        var late = new TestRequest { Deadline = TimeProvider.System.GetTimestamp() - (TimeProvider.System.TimestampFrequency * 3 / 1000) };

        table.Begin(late);

        await late.Task.WaitAsync(TestTimeouts.Hang);
        Assert.IsType<TimeoutException>(late.Error);
    }

    [Fact]
    public void A_closed_table_has_no_timer()
    {
        TestRequest request = Begin(_table, seconds: 1);

        _table.Close(CloseReason.PeerReset);
        _time.Advance(TimeSpan.FromSeconds(2));

        Assert.IsType<ConnectionClosedException>(request.Error);
        Assert.Equal(0, _time.PendingTimers);
    }

    [Fact]
    public async Task The_continuations_of_one_batch_run_in_the_order_of_the_answers_and_not_before_its_end()
    {
        const int Requests = 100;
        RequestTable table = Create(limit: Requests);
        List<int> continued = [];
        var last = new TaskCompletionSource();
        TestRequest[] requests = [.. Enumerable.Range(0, Requests).Select(_ => Begin(table))];
        new Random(1).Shuffle(requests);
        for (int i = 0; i < Requests; i++)
        {
            int number = i;
            requests[i].OnCompleted(
                _ =>
                {
                    continued.Add(number); // one thread, so no lock
                    if (number == Requests - 1)
                    {
                        last.SetResult();
                    }
                },
                null,
                token: 0,
                ValueTaskSourceOnCompletedFlags.None);
        }

        Assert.All(requests, request => Assert.Equal(AnswerResult.Taken, Answer(request.Id, table: table)));
        Assert.Empty(continued);
        Assert.All(requests, static request => Assert.True(request.IsCompleted));
        table.ContinueAnswered();

        await last.Task.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(Enumerable.Range(0, Requests), continued);
    }

    [Fact]
    public async Task A_continuation_runs_in_the_context_in_which_its_request_is_awaited()
    {
        var local = new AsyncLocal<string> { Value = "mine" };
        TestRequest request = Begin();
        Task<string?> awaiting = AwaitAsync();
        local.Value = "other";

        Answer(request.Id);
        _table.ContinueAnswered();

        Assert.Equal("mine", await awaiting.WaitAsync(TestTimeouts.Hang));

        async Task<string?> AwaitAsync()
        {
            await new ValueTask(request, token: 0);
            return local.Value;
        }
    }

    [Fact]
    public async Task A_continuation_is_posted_to_the_synchronization_context_of_the_code_that_awaits()
    {
        var context = new RecordingContext();
        TestRequest request = Begin();
        SynchronizationContext? own = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(context);
        ValueTask awaited = new(request, token: 0);
        awaited.GetAwaiter().OnCompleted(static () => { });
        SynchronizationContext.SetSynchronizationContext(own);

        Answer(request.Id);
        _table.ContinueAnswered();

        await context.Posted.WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public void A_request_is_awaited_by_one_continuation()
    {
        TestRequest request = Begin();
        request.OnCompleted(static _ => { }, null, token: 0, ValueTaskSourceOnCompletedFlags.None);

        Assert.Throws<InvalidOperationException>(
            () => request.OnCompleted(static _ => { }, null, token: 0, ValueTaskSourceOnCompletedFlags.None));
    }

    private RequestTable Create(int limit) => new(connectionId: 7, limit, [Failure], _time);

    private TestRequest Begin(RequestTable? table = null, double? seconds = null)
    {
        var request = new TestRequest();
        if (seconds is { } after)
        {
            request.Deadline = _time.GetTimestamp() + (long)(after * _time.TimestampFrequency);
        }

        (table ?? _table).Begin(request);
        return request;
    }

    /// <summary>The ids of so many requests, each of which is answered before the next one.</summary>
    private int[] NextIds(int count) => [.. Enumerable.Range(0, count).Select(_ =>
    {
        TestRequest request = Begin();
        Assert.Equal(AnswerResult.Taken, Answer(request.Id));
        return (int)request.Id;
    })];

    private AnswerResult Answer(ushort requestId, ushort packetId = TestRequest.Reply, RequestTable? table = null)
    {
        FrameData data = FrameData.OfBody(default, new FrameHeader(packetId, requestId));
        return (table ?? _table).TryAnswer(new Frame(in data));
    }

    private sealed class RecordingContext : SynchronizationContext
    {
        private readonly TaskCompletionSource _posted = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task Posted => _posted.Task;

        public override void Post(SendOrPostCallback d, object? state) => _posted.SetResult();
    }
}
