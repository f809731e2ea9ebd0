using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Protocol;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.FunctionalTests.Cluster;

/// <summary>Clients of a cluster that talk without a pause, and keep what was acknowledged and what they have heard.</summary>
internal sealed class ClusterLoad : IAsyncDisposable
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);

    private readonly List<Talker> _talkers = [];
    private volatile bool _isStopping;
    private TimeSpan _betweenMessages;

    /// <summary>The texts that were acknowledged, by room.</summary>
    public ConcurrentDictionary<long, ConcurrentQueue<string>> Acknowledged { get; } = [];

    /// <summary>What each client has heard, in its order.</summary>
    public IReadOnlyList<Talker> Talkers => _talkers;

    /// <summary>Connects clients to the nodes in turn, lets them into rooms in turn, and has them talk.</summary>
    /// <param name="ports">The nodes' ports on the loopback.</param>
    /// <param name="clients">How many there are.</param>
    /// <param name="rooms">In how many rooms they are.</param>
    /// <param name="pause">How long each waits between its messages; by default not at all.</param>
    public static async Task<ClusterLoad> StartAsync(IReadOnlyList<int> ports, int clients, int rooms, TimeSpan pause = default)
    {
        var load = new ClusterLoad { _betweenMessages = pause };
        var ids = new long[rooms];
        for (int i = 0; i < clients; i++)
        {
            EndPoint[] servers =
                [.. Enumerable.Range(0, ports.Count).Select(turn => new IPEndPoint(IPAddress.Loopback, ports[(i + turn) % ports.Count]))];
            var options = new ChatClientOptions
            {
                ReconnectDelay = TimeSpan.FromMilliseconds(50),
                MaxReconnectDelay = TimeSpan.FromSeconds(1),
                KeepAlive = TimeSpan.FromSeconds(2),
                ConnectTimeout = TimeSpan.FromSeconds(5),
                ReconnectTimeout = TimeSpan.FromMinutes(10), // the test says what takes too long
            };
            var talker = new Talker(await ChatClient.ConnectAsync(servers, options).WaitAsync(TestTimeouts.Hang), $"Player {i}");
            load._talkers.Add(talker);
            await talker.Client.LoginAsync(talker.Name).WaitAsync(TestTimeouts.Hang);
            if (i < rooms)
            {
                ids[i] = (await talker.Client.CreateRoomAsync($"room {i}").WaitAsync(TestTimeouts.Hang)).RoomId;
                load.Acknowledged[ids[i]] = [];
            }
            else
            {
                await talker.Client.JoinRoomAsync(ids[i % rooms]).WaitAsync(TestTimeouts.Hang);
            }

            talker.RoomId = ids[i % rooms];
        }

        load._talkers.ForEach(talker => talker.Talking = Task.Run(() => load.TalkAsync(talker)));
        return load;
    }

    /// <summary>Waits until so many more messages are acknowledged.</summary>
    public async Task WaitForAsync(int more)
    {
        int until = Acknowledged.Sum(static room => room.Value.Count) + more;
        await Eventually.GetAsync(
            async () =>
            {
                await (_talkers.Find(static talker => talker.Talking.IsFaulted)?.Talking ?? Task.CompletedTask); // a client talks no more
                return Acknowledged.Sum(static room => room.Value.Count);
            },
            count => count >= until);
    }

    /// <summary>Waits until a client has heard so many more messages of its own, each of which follows an acknowledged one.</summary>
    public static Task WaitForAsync(Talker talker, int more)
    {
        int CountOwn() => talker.Heard.Count(text => text.StartsWith($"{talker.Name}: ", StringComparison.Ordinal));
        int until = CountOwn() + more;
        return Eventually.TrueAsync(() => CountOwn() >= until);
    }

    /// <summary>Waits until every sender was told UNAVAILABLE: none waits without end.</summary>
    public Task WaitForUnavailableAsync() => Eventually.TrueAsync(() => _talkers.TrueForAll(static talker => talker.Unavailable > 0));

    /// <summary>Stops talking, and waits until every client has heard the last message of its room.</summary>
    public async Task StopAsync()
    {
        _isStopping = true;
        await Task.WhenAll(_talkers.Select(static talker => talker.Talking)).WaitAsync(TestTimeouts.Hang);
        foreach (long roomId in Acknowledged.Keys)
        {
            Talker[] members = [.. _talkers.Where(talker => talker.RoomId == roomId)];
            await SayAsync(members[0], "the end");
            await Task.WhenAll(members.Select(static member => member.HasHeardTheEnd)).WaitAsync(TestTimeouts.Hang);
        }
    }

    /// <summary>Nothing acknowledged is lost, nothing comes twice, and all members of a room have heard the same in one order.</summary>
    public void Verify()
    {
        foreach ((long roomId, ConcurrentQueue<string> acknowledged) in Acknowledged)
        {
            string[][] heard = [.. _talkers.Where(talker => talker.RoomId == roomId).Select(static talker => talker.Heard.ToArray())];
            Assert.All(heard, texts => Assert.Equal(texts.Length, texts.Distinct(StringComparer.Ordinal).Count()));
            Assert.All(heard, texts => Assert.Empty(acknowledged.Except(texts, StringComparer.Ordinal)));
            Assert.All(heard, texts => Assert.Equal(string.Join('\n', heard[0]), string.Join('\n', texts)));
        }

        Assert.All(_talkers, static talker => Assert.Equal(0, talker.NotRecovered));
    }

    /// <summary>Waits until everything acknowledged is stored. Each message is stored once.</summary>
    public async Task VerifyStoredAsync(ProcessCluster cluster)
    {
        await using IChatStore store = await cluster.OpenStoreAsync();
        foreach ((long roomId, ConcurrentQueue<string> acknowledged) in Acknowledged)
        {
            HashSet<string> missing = [.. acknowledged];
            await Eventually.GetAsync(
                async () =>
                {
                    missing.ExceptWith((await ReadAllAsync(store, roomId)).Select(static record => record.Text));
                    return missing.Count;
                },
                static left => left == 0);
            List<ChatRecord> stored = await ReadAllAsync(store, roomId);
            Assert.Equal(stored.Count, stored.DistinctBy(static record => record.Text, StringComparer.Ordinal).Count());
        }
    }

    public async ValueTask DisposeAsync()
    {
        _isStopping = true;
        foreach (Talker talker in _talkers)
        {
            await talker.Client.DisposeAsync();
        }
    }

    private static async Task<List<ChatRecord>> ReadAllAsync(IChatStore store, long roomId)
    {
        List<ChatRecord> all = [];
        IReadOnlyList<ChatRecord> page;
        do
        {
            page = await store.ReadChatAfterAsync(roomId, all.Count == 0 ? 0 : all[^1].Sequence, IChatStore.MaxReadLimit);
            all.AddRange(page.Where(static record => record.PlayerId != 0));
        }
        while (page.Count == IChatStore.MaxReadLimit);

        return all;
    }

    private async Task TalkAsync(Talker talker)
    {
        for (int i = 0; !_isStopping; i++)
        {
            await SayAsync(talker, string.Create(CultureInfo.InvariantCulture, $"{talker.Name}: {i}"));
            if (_betweenMessages > TimeSpan.Zero)
            {
                await Task.Delay(_betweenMessages);
            }
        }
    }

    /// <summary>Says something until it is acknowledged, always with the same client_message_id.</summary>
    private async Task SayAsync(Talker talker, string text)
    {
        ulong id = talker.Client.NewClientMessageId();
        while (true)
        {
            long began = Stopwatch.GetTimestamp();
            try
            {
                await talker.Client.ChatAsync(talker.RoomId, text, id);
                Acknowledged[talker.RoomId].Enqueue(text);
                return;
            }
            catch (ChatErrorException e) when (e.Code == ErrorCode.Unavailable)
            {
                talker.NoteUnavailable(e.RetryAfter, Stopwatch.GetElapsedTime(began));
                await Task.Delay(s_pause);
            }
            catch (Exception e) when (e is TimeoutException or ChatConnectionClosedException && !talker.Client.Closed.IsCompleted)
            {
                // Not known: it is said again.
                talker.NoteTimeout();
            }
        }
    }

    /// <summary>One client.</summary>
    internal sealed class Talker
    {
        private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private long _brokenAt;
        private int _notRecovered;
        private int _unavailable;
        private int _timeouts;

        public Talker(ChatClient client, string name)
        {
            Client = client;
            Name = name;
            client.ChatReceived += (_, chat) =>
            {
                if (!chat.Message.System)
                {
                    Heard.Enqueue(chat.Message.Text);
                }

                if (chat.Message.Text == "the end")
                {
                    _end.TrySetResult();
                }
            };
            client.Reconnecting += (_, breaking) =>
            {
                if (breaking.Attempt == 1)
                {
                    Breaks.Enqueue(breaking.Reason);
                    _brokenAt = Stopwatch.GetTimestamp();
                }
            };
            client.Reconnected += (_, back) =>
            {
                TimeSpan away = Stopwatch.GetElapsedTime(_brokenAt);
                LongestBreak = away > LongestBreak ? away : LongestBreak;
                Interlocked.Add(ref _notRecovered, back.Rooms.Count(static room => !room.IsRecovered));
            };
        }

        public ChatClient Client { get; }

        public string Name { get; }

        public long RoomId { get; set; }

        public Task Talking { get; set; } = Task.CompletedTask;

        public Task HasHeardTheEnd => _end.Task;

        public ConcurrentQueue<string> Heard { get; } = [];

        public ConcurrentQueue<CloseReason> Breaks { get; } = [];

        /// <summary>How often the client was told UNAVAILABLE, with a delay.</summary>
        public int Unavailable => Volatile.Read(ref _unavailable);

        /// <summary>Requests that no node has answered in time.</summary>
        public int Timeouts => Volatile.Read(ref _timeouts);

        /// <summary>Rooms of which something was missing after a return.</summary>
        public int NotRecovered => Volatile.Read(ref _notRecovered);

        /// <summary>How long it has waited for UNAVAILABLE at most. Read it when the client has stopped talking.</summary>
        public TimeSpan LongestRefusal { get; private set; }

        /// <summary>How long it was without a server at most. Read it when the client has stopped talking.</summary>
        public TimeSpan LongestBreak { get; private set; }

        public void NoteUnavailable(TimeSpan retryAfter, TimeSpan waited)
        {
            Assert.True(retryAfter > TimeSpan.Zero);
            LongestRefusal = waited > LongestRefusal ? waited : LongestRefusal;
            Interlocked.Increment(ref _unavailable);
        }

        public void NoteTimeout() => Interlocked.Increment(ref _timeouts);
    }
}
