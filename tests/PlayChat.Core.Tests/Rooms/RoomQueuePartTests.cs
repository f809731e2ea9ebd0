using System.Buffers;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary><see cref="RoomQueue"/> without a room around it: the test is the turn that takes.</summary>
public sealed class RoomQueuePartTests
{
    private static readonly RoomItem s_job = new(null, null, null, null, null, default, PostedAt: 0);

    [Fact]
    public async Task Items_come_out_in_the_order_of_posting_and_those_beyond_QueueItems_are_refused()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        RoomQueue queue = New(sessions);

        bool[] posted = [.. Enumerable.Range(0, 20).Select(i => queue.TryPost(s_job with { PostedAt = i }))];
        queue.PostChanged(sessions.Open());

        Assert.Equal(Enumerable.Range(0, 20).Select(static i => i < 16), posted);
        Assert.Equal((16, 4), (sessions.Metrics.Read(Counter.JobsEnqueued), sessions.Metrics.Read(Counter.JobsRefused)));
        Assert.Equal(1, work.Count); // one turn for all
        Assert.True(queue.HasItems && queue.HasChangedSessions);
        for (int i = 0; i < 16; i++)
        {
            Assert.True(queue.TryTake(out RoomItem item));
            Assert.Equal(i, item.PostedAt);
        }

        Assert.False(queue.TryTake(out _));
        Assert.True(queue.TryTakeChanged(out _));
        Assert.False(queue.HasItems || queue.HasChangedSessions);
    }

    [Fact]
    public async Task Bytes_are_free_again_when_the_turn_has_run_their_frames()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        RoomQueue queue = New(sessions);
        Session from = sessions.Open();

        Assert.True(queue.TryPost(FrameOf(sessions, from, 3000)));
        Assert.False(queue.TryPost(FrameOf(sessions, from, 3000)));
        Assert.True(queue.TryPost(s_job)); // takes no bytes
        Assert.True(queue.TryTake(out RoomItem taken));
        Assert.False(queue.TryPost(FrameOf(sessions, from, 3000))); // still held by the turn
        taken.Body!.Release();
        queue.OnRun(1, taken.Bytes);

        Assert.True(queue.TryPost(FrameOf(sessions, from, 3000)));
        Assert.Equal(1, sessions.Metrics.Read(Counter.JobsExecuted));
        Empty(queue);
    }

    [Fact]
    public async Task A_frame_larger_than_QueueBytes_passes_an_empty_queue()
    {
        await using var sessions = new StubSessions();
        using var work = new ManualWorkQueue();
        RoomQueue queue = New(sessions);
        Session from = sessions.Open();

        Assert.True(queue.TryPost(FrameOf(sessions, from, 10_000)));
        Assert.False(queue.TryPost(FrameOf(sessions, from, 1)));
        Empty(queue);
        Assert.True(queue.TryPost(FrameOf(sessions, from, 1)));
        Empty(queue);
    }

    [Fact]
    public async Task An_awaited_post_waits_for_bytes_and_for_a_place()
    {
        await using var sessions = new StubSessions();
        RoomQueue queue = New(sessions);
        Session from = sessions.Open();
        Assert.True(queue.TryPost(FrameOf(sessions, from, 3000)));

        Task<bool> forBytes = queue.PostFrameAsync(FrameOf(sessions, from, 3000), from).AsTask();
        Assert.False(forBytes.IsCompleted);
        Empty(queue);
        Assert.True(await forBytes.WaitAsync(TestTimeouts.Hang));
        Empty(queue);

        for (int i = 0; i < 16; i++)
        {
            Assert.True(queue.TryPost(s_job));
        }

        Task<bool> forPlace = queue.PostAsync(s_job, CancellationToken.None).AsTask();
        Assert.False(forPlace.IsCompleted);
        Assert.True(queue.TryTake(out _));
        Assert.True(await forPlace.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_closed_queue_keeps_its_items_and_ends_the_posts_that_wait()
    {
        await using var sessions = new StubSessions();
        RoomQueue queue = New(sessions);
        for (int i = 0; i < 16; i++)
        {
            Assert.True(queue.TryPost(s_job));
        }

        Session from = sessions.Open();
        Task<bool> waiting = queue.PostFrameAsync(FrameOf(sessions, from, 100), from).AsTask();
        queue.Close();

        Assert.False(await waiting.WaitAsync(TestTimeouts.Hang));
        Assert.True(queue.IsClosed && queue.HasItems);
        Assert.False(queue.TryPost(FrameOf(sessions, from, 100)));
        Assert.False(await queue.PostAsync(s_job, CancellationToken.None));
    } // and the pool of the sessions finds no body that is still held

    [Fact]
    public async Task A_cancelled_post_releases_its_body_and_gives_its_bytes_back()
    {
        await using var sessions = new StubSessions();
        RoomQueue queue = New(sessions);
        for (int i = 0; i < 16; i++)
        {
            Assert.True(queue.TryPost(s_job));
        }

        Session from = sessions.Open();
        using var cancellation = new CancellationTokenSource();
        Task<bool> cancelled = queue.PostAsync(FrameOf(sessions, from, 4000), cancellation.Token).AsTask();
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.WaitAsync(TestTimeouts.Hang));
        Empty(queue);
        Assert.True(queue.TryPost(FrameOf(sessions, from, 4000)));
        Empty(queue);
    }

    private static RoomQueue New(StubSessions sessions)
    {
        RoomServices services = sessions.NewRoomServices(static rooms => (rooms.QueueItems, rooms.QueueBytes) = (16, 4096));
        return new RoomQueue(new RoomScheduler(new StubTurn(), new FlushLane(), services), services);
    }

    private static RoomItem FrameOf(StubSessions sessions, Session from, int bytes)
    {
        var body = new ReadOnlySequence<byte>(new byte[bytes]);
        FrameData data = FrameData.OfBody(in body);
        return RoomItem.OfFrame(from, new Frame(in data), sessions.Pool, postedAt: 0);
    }

    /// <summary>Does what a turn does with all that is there.</summary>
    private static void Empty(RoomQueue queue)
    {
        while (queue.TryTake(out RoomItem item))
        {
            item.Body?.Release();
            queue.OnRun(1, item.Bytes);
        }
    }
}
