using System.Net;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Transport.Linux.Tests;

public sealed class EpollLoopTests
{
    [Fact]
    public void Elsewhere_it_says_in_one_sentence_that_it_needs_Linux()
    {
        PlatformNotSupportedException e =
            Assert.Throws<PlatformNotSupportedException>(static () => LinuxTransport.RequireSupport(isSupported: false));

        Assert.Equal("The native transport needs 64-bit Linux; use the default transport on this system.", e.Message);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(1025)]
    public void A_number_of_loops_that_cannot_be_is_refused(int loops)
    {
        Assert.SkipUnless(LinuxTransport.IsSupported, "The native transport needs Linux.");

        Assert.Throws<ArgumentOutOfRangeException>(() => new LinuxTransport(new LinuxTransportOptions { Loops = loops }));
    }

    [Fact]
    public async Task Local_work_runs_on_the_loops_thread_after_the_events_in_the_order_it_was_queued()
    {
        Journal journal = await QueueAtEventAsync(static journal =>
        {
            ILocalWorkQueue.Current!.Enqueue(new Entry(journal, "first", then: "queued by the first"));
            ILocalWorkQueue.Current!.Enqueue(new Entry(journal, "second"));
        });

        Assert.Equal(["event", "first", "second", "queued by the first"], journal.Entries);
        Assert.Single(journal.Threads.Distinct());
        Assert.Null(ILocalWorkQueue.Current);
    }

    [Fact]
    public async Task An_idle_loop_wakes_for_what_is_due_and_runs_it_in_the_order_of_its_times()
    {
        TimeProvider clock = TimeProvider.System;
        long due = clock.GetTimestamp() + (clock.TimestampFrequency / 20);

        Journal journal = await QueueAtEventAsync(journal =>
        {
            ILocalWorkQueue.Current!.EnqueueAt(new Entry(journal, "first", then: "queued by the first"), due);
            ILocalWorkQueue.Current.EnqueueAt(new Entry(journal, "due before"), due - 1);
        });

        Assert.True(clock.GetTimestamp() >= due);
        Assert.Equal(["event", "due before", "first", "queued by the first"], journal.Entries);
        Assert.Single(journal.Threads.Distinct());
    }

    [Fact]
    public async Task A_loop_ends_after_its_last_target_and_starts_again_with_the_next()
    {
        using LinuxTransport transport = NativeTransport.Create(loops: 1);
        EpollLoop loop = transport.Loops[0];
        Assert.False(loop.IsRunning);

        for (int round = 0; round < 2; round++)
        {
            TransportListener listener = transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());
            Assert.True(loop.IsRunning);
            await listener.DisposeAsync();
            await Eventually.TrueAsync(() => !loop.IsRunning);
        }
    }

    [Fact]
    public async Task A_disposed_transport_ends_its_listeners_and_links_and_takes_no_more()
    {
        LinuxTransport transport = NativeTransport.Create();
        TransportListener listener = transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());
        using TransportConnection client = await transport.ConnectAsync(listener.EndPoint, new TransportOptions());
        using TransportConnection server = (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!;
        Task<int> receiving = server.ReceiveAsync(new byte[1].AsMemory()).AsTask();

        transport.Dispose();

        Assert.Equal(0, await receiving.WaitAsync(TestTimeouts.Hang));
        Assert.Null(await listener.AcceptAsync());
        Assert.Throws<ObjectDisposedException>(() => transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions()));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => transport.ConnectAsync(listener.EndPoint, new TransportOptions()).AsTask());
    }

    [Fact]
    public async Task An_endpoint_may_use_the_native_transport_beside_one_that_does_not()
    {
        Assert.SkipUnless(LinuxTransport.IsSupported, "The native transport needs Linux.");
        var onLoop = new List<bool>();
        await using PlayChatServer server = new PlayChatServer(static options =>
        {
            options.ListenTcp("127.0.0.1:0");
            options.ListenTcp("127.0.0.1:0").UseTransport(LinuxTransport.Shared);
        })
            .UseFraming(FrameFormat.LengthPrefixed())
            .OnFrame((connection, frame) =>
            {
                onLoop.Add(ILocalWorkQueue.Current is not null);
                connection.Send(in frame);
            });
        await server.StartAsync();

        foreach (EndPoint endPoint in server.EndPoints)
        {
            using TransportConnection client = await SocketTransport.Instance.ConnectAsync(endPoint, new TransportOptions());
            await client.SendAsync(new byte[] { 0, 0, 0, 1, 42 });
            Assert.Equal([0, 0, 0, 1, 42], await client.ReceiveAsync(5));
        }

        Assert.Equal([false, true], onLoop);
    }

    /// <summary>Queues work on a loop at the last event that it has, and waits for it.</summary>
    private static async Task<Journal> QueueAtEventAsync(Action<Journal> queue)
    {
        using LinuxTransport transport = NativeTransport.Create(loops: 1);
        await using TransportListener listener = transport.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());
        using TransportConnection client = await transport.ConnectAsync(listener.EndPoint, new TransportOptions());
        using TransportConnection server = (await listener.AcceptAsync().AsTask().WaitAsync(TestTimeouts.Hang))!;
        var journal = new Journal();

        Task waiting = QueueWhenReadableAsync();
        await client.SendAsync(new byte[1]);
        await waiting.WaitAsync(TestTimeouts.Hang);
        await journal.Full.Task.WaitAsync(TestTimeouts.Hang);
        return journal;

        async Task QueueWhenReadableAsync()
        {
            await server.WaitForDataAsync().ConfigureAwait(false);
            queue(journal);
            journal.Write("event");
        }
    }

    private sealed class Journal
    {
        internal TaskCompletionSource Full { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal List<string> Entries { get; } = [];

        internal List<int> Threads { get; } = [];

        internal void Write(string entry)
        {
            Entries.Add(entry);
            Threads.Add(Environment.CurrentManagedThreadId);
            if (Entries.Count == 4)
            {
                Full.SetResult();
            }
        }
    }

    private sealed class Entry(Journal journal, string text, string? then = null) : IThreadPoolWorkItem
    {
        public void Execute()
        {
            if (then is not null)
            {
                ILocalWorkQueue.Current!.Enqueue(new Entry(journal, then));
            }

            journal.Write(text);
        }
    }
}
