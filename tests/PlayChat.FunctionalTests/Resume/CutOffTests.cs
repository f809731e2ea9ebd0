using System.Collections.Concurrent;
using System.Globalization;
using PlayChat.Core.Clients;
using PlayChat.Core.WebSockets;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;
using PlayChat.Transport.Linux;

namespace PlayChat.FunctionalTests.Resume;

/// <summary>A client that is cut off again and again sees each message once and in order, and each of its own is said once.</summary>
public sealed class CutOffTests
{
    private const int Messages = 1000;
    private const int Cuts = 10;
    private const int InFlight = 4;

    // So far the other one may be ahead of the one who is cut off: less than a room keeps in memory.
    private const int MaxAhead = 400;

    [Theory]
    [InlineData("sockets", 1)]
    [InlineData("linux", 2, Traits = ["Tier", "Full"])]
    [InlineData("websocket", 3, Traits = ["Tier", "Full"])]
    public async Task Over_many_cuts_no_message_is_lost_doubled_or_out_of_order(string transport, int seed)
    {
        Assert.SkipUnless(transport != "linux" || LinuxTransport.IsSupported, "The native transport needs 64-bit Linux.");
        bool isWebSocket = transport == "websocket"; // for the client that is cut off; the others use TCP
        await using ServerProcess server = isWebSocket
            ? await ServerProcess.StartAsync("--Web:Enabled=true", "--Web:Port=0")
            : await ServerProcess.StartAsync("--transport", transport);
        await using var proxy = new CuttingProxy(
            isWebSocket ? await server.WaitForWebPortAsync() : server.Port, seed, Cuts, isFramed: !isWebSocket);
        await using ChatClient steady =
            await ChatClient.ConnectAsync("127.0.0.1", server.Port, new ChatClientOptions { RequestTimeout = TestTimeouts.Hang });
        await using ChatClient restless =
            await ChatClient.ConnectAsync("127.0.0.1", server.Port, new ChatClientOptions { RequestTimeout = TestTimeouts.Hang });
        await using ChatClient cutOff = await ChatClient.ConnectAsync("127.0.0.1", proxy.Port, new ChatClientOptions
        {
            RequestTimeout = TestTimeouts.Hang,
            ConnectTimeout = TimeSpan.FromSeconds(1),
            ReconnectDelay = TimeSpan.FromMilliseconds(1),
            MaxReconnectDelay = TimeSpan.FromMilliseconds(20),
            KeepAlive = TimeSpan.FromMilliseconds(100),
            Transport = isWebSocket ? new WebSocketTransport() : null,
        });
        await steady.LoginAsync("steady");
        await restless.LoginAsync("restless");
        await cutOff.LoginAsync("cut off");
        long roomId = (await steady.CreateRoomAsync("storm")).RoomId;
        var seenBySteady = new Record(steady, first: 1);
        SJoinRoomRes joined = await cutOff.JoinRoomAsync(roomId);
        var seen = new Record(cutOff, first: joined.LatestSequence + 1); // a cut may have come before the answer, and the join again
        var recoveries = new ConcurrentQueue<ReconnectedEventArgs>();
        cutOff.Reconnected += (_, e) => recoveries.Enqueue(e);

        Task others = TalkAsync(steady, roomId, "steady", Messages / 2, seen, restless);
        Task own = TalkAsync(cutOff, roomId, "cut off", Messages / 2, seen, restless: null);
        await Task.WhenAll(others, own).WaitAsync(TestTimeouts.Hang);
        await seen.HasAsync(Messages);
        await seenBySteady.HasAsync(Messages);

        Assert.Equal(Cuts, proxy.CutsMade);
        Assert.Equal(0, cutOff.MissedMessages);
        Assert.Empty(seen.Problems);
        Assert.Empty(seenBySteady.Problems);
        Assert.Equal(seenBySteady.Texts, seen.Texts);
        Assert.Equal(Messages, seen.Texts.Distinct(StringComparer.Ordinal).Count());
        Assert.All(recoveries, recovery => Assert.True(recovery.IsRecovered));
        // A join whose answer was cut off is taken back at the return, and made again.
        Assert.DoesNotContain(seenBySteady.Left, left => left.Name == "cut off" && left.Sequence > joined.LatestSequence);

        // The log has what was seen.
        Assert.Equal(seen.Texts, await ReadAllAsync(steady, roomId));
    }

    /// <summary>Several loops say so many messages together, each the next when it has its answer.</summary>
    private static Task TalkAsync(ChatClient client, long roomId, string name, int messages, Record follower, ChatClient? restless)
    {
        int next = 0;
        return Task.WhenAll(Enumerable.Range(0, InFlight).Select(async loop =>
        {
            for (int i = Interlocked.Increment(ref next); i <= messages; i = Interlocked.Increment(ref next))
            {
                SRoomChatRes said = await client.ChatAsync(roomId, string.Create(CultureInfo.InvariantCulture, $"{name} {i}"));
                await follower.HasSeenAsync(said.Sequence - MaxAhead);
                if (restless is not null && loop == 0 && i % 10 == 0)
                {
                    await restless.JoinRoomAsync(roomId);
                    await restless.LeaveRoomAsync(roomId);
                }
            }
        }));
    }

    private static async Task<List<string>> ReadAllAsync(ChatClient client, long roomId)
    {
        List<string> texts = [];
        SRoomHistoryRes page;
        long after = 0;
        do
        {
            page = await client.ReadHistoryAfterAsync(roomId, after);
            if (page.Complete)
            {
                texts.AddRange(page.Messages.Where(static message => !message.System).Select(static message => message.Text));
                after = page.Messages[^1].Sequence;
            }
        }
        while (page.More || !page.Complete); // what is not stored yet will be in a moment

        return texts;
    }

    /// <summary>What a client saw of the room.</summary>
    private sealed class Record
    {
        private readonly object _gate = new();
        private readonly SortedDictionary<long, List<TaskCompletionSource>> _waiting = [];
        private long _last;

        public Record(ChatClient client, long first)
        {
            _last = first - 1;
            client.MemberJoined += (_, e) => See(e.Message.Sequence, e.Message.PreviousSequence, e.MissedBefore);
            client.ChatReceived += (_, e) =>
            {
                if (e.Message.System)
                {
                    Left.Enqueue((e.Message.Sequence, e.Message.Left.Name));
                }
                else
                {
                    lock (_gate)
                    {
                        Texts.Add(e.Message.Text);
                    }
                }

                See(e.Message.Sequence, e.Message.PreviousSequence, e.MissedBefore);
            };
        }

        public List<string> Texts { get; } = [];

        public ConcurrentQueue<(long Sequence, string Name)> Left { get; } = []; // the last of them may arrive while the test reads it

        public List<string> Problems { get; } = [];

        /// <summary>Waits until so many messages of players have been seen.</summary>
        public async Task HasAsync(int messages)
        {
            while (true)
            {
                Task more;
                lock (_gate)
                {
                    if (Texts.Count >= messages)
                    {
                        return;
                    }

                    more = Wait(_last + 1);
                }

                await more.WaitAsync(TestTimeouts.Hang);
            }
        }

        /// <summary>Waits until a sequence has been seen.</summary>
        public Task HasSeenAsync(long sequence)
        {
            lock (_gate)
            {
                return _last >= sequence ? Task.CompletedTask : Wait(sequence);
            }
        }

        private Task Wait(long sequence)
        {
            var waiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            if (!_waiting.TryGetValue(sequence, out List<TaskCompletionSource>? waiters))
            {
                _waiting[sequence] = waiters = [];
            }

            waiters.Add(waiter);
            return waiter.Task;
        }

        private void See(long sequence, long previous, long missedBefore)
        {
            lock (_gate)
            {
                if (sequence != _last + 1 || previous != _last || missedBefore != 0)
                {
                    Problems.Add(string.Create(
                        CultureInfo.InvariantCulture, $"{sequence} (after {previous}, {missedBefore} missed) came after {_last}."));
                }

                _last = Math.Max(_last, sequence);
                while (_waiting.Count > 0 && _waiting.First() is var (wanted, waiters) && wanted <= _last)
                {
                    waiters.ForEach(static waiter => waiter.SetResult());
                    _waiting.Remove(wanted);
                }
            }
        }
    }
}
