using System.Collections.Concurrent;
using System.Globalization;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Resume;

/// <summary>Clients come back by themselves to a server that has ended and was started again on its port and database.</summary>
public sealed class RestartTests
{
    private const int Clients = 20;
    private const int Rooms = 4;
    private const int ClientsOfRoom = Clients / Rooms;

    [Fact]
    [Trait("Tier", "Full")]
    public async Task After_SIGTERM_everybody_is_back_when_the_server_has_asked_for_it_and_nothing_is_missing()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);

        List<Guest> guests = await RestartAsync(static server => server.StopAsync());

        Assert.All(guests, static guest =>
        {
            Assert.Equal(CloseReason.ServerShutdown, guest.Breaks.First().Reason);
            Assert.InRange(guest.Breaks.First().Delay, TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(1));
            Assert.True(guest.Recovery.IsRecovered);
            Assert.Equal(0, guest.Client.MissedMessages);
        });
        Assert.NotEqual(1, guests.Select(static guest => guest.Breaks.First().Delay).Distinct().Count());
    }

    [Fact]
    public async Task After_a_kill_everybody_is_back_and_is_told_that_something_may_be_missing()
    {
        List<Guest> guests = await RestartAsync(static server =>
        {
            server.Program.Kill();
            return server.Program.WaitForExitAsync();
        });

        Assert.All(guests, static guest =>
        {
            Assert.True(guest.Breaks.First().Reason is CloseReason.PeerReset or CloseReason.PeerClosed);
            Assert.False(guest.Recovery.IsRecovered);
        });
    }

    /// <summary>Everybody talks, the server ends and starts again, and everybody talks again on its return.</summary>
    private static async Task<List<Guest>> RestartAsync(Func<ServerProcess, Task<int>> endAsync)
    {
        using var folder = new TemporaryDirectory();
        string[] options = ["--Sessions:ReturnWithin=00:00:01"];
        await using ServerProcess server = await ServerProcess.StartInAsync(folder.Path, options);
        List<Guest> guests = [];
        for (int i = 0; i < Clients; i++)
        {
            guests.Add(await Guest.EnterAsync(server.Port, i, i < Rooms ? null : guests[i % Rooms].RoomId));
        }

        await Task.WhenAll(guests.Select(static guest => guest.SayAsync("before")));
        await Task.WhenAll(guests.Select(static guest => guest.HasSeenAsync("before", ClientsOfRoom)));

        await endAsync(server);
        await using ServerProcess anew = await ServerProcess.StartInAsync(
            folder.Path, [.. options, "--port", server.Port.ToString(CultureInfo.InvariantCulture)]);
        await Task.WhenAll(guests.Select(static async guest =>
        {
            await guest.Returned.WaitAsync(TestTimeouts.Hang);
            await guest.SayAsync("after");
        }));

        SListRoomsRes listed = await guests[0].Client.ListRoomsAsync();
        Assert.Equal(Rooms, listed.Rooms.Count);
        Assert.All(listed.Rooms, static room => Assert.Equal((uint)ClientsOfRoom, room.Members));
        foreach (Guest guest in guests)
        {
            Assert.True(guest.Recovery.IsMember);
            await guest.RequireAllAsync("after", ClientsOfRoom);
            Assert.Equal(ClientsOfRoom, guest.Client.FindRoom(guest.RoomId)!.Members.Count);
        }

        await Task.WhenAll(guests.Select(static guest => guest.Client.DisposeAsync().AsTask()));
        return guests;
    }

    /// <summary>A client in one room, and what it saw.</summary>
    private sealed class Guest
    {
        private readonly object _gate = new();
        private readonly HashSet<string> _texts = [];
        private readonly TaskCompletionSource _returned = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private TaskCompletionSource _more = new(TaskCreationOptions.RunContinuationsAsynchronously);

        private Guest(ChatClient client)
        {
            Client = client;
            client.Reconnecting += (_, e) => Breaks.Enqueue(e);
            client.Reconnected += (_, e) =>
            {
                Recovery = e.Rooms.Single();
                _returned.SetResult();
            };
            client.ChatReceived += (_, e) => See(e.Message);
        }

        public ChatClient Client { get; }

        public long RoomId { get; private set; }

        public ConcurrentQueue<ReconnectingEventArgs> Breaks { get; } = [];

        public Task Returned => _returned.Task;

        public RoomRecovery Recovery { get; private set; } = null!;

        /// <summary>Logs in, some guests with a password, and makes or enters a room.</summary>
        public static async Task<Guest> EnterAsync(int port, int number, long? roomId)
        {
            ChatClient client = await ChatClient.ConnectAsync("127.0.0.1", port, new ChatClientOptions
            {
                RequestTimeout = TestTimeouts.Hang,
                ReconnectDelay = TimeSpan.FromMilliseconds(20),
                MaxReconnectDelay = TimeSpan.FromMilliseconds(200),
            });
            var guest = new Guest(client);
            await client.LoginAsync($"guest {number}", number % 10 == 0 ? "a password" : null);
            guest.RoomId = roomId is { } id
                ? (await client.JoinRoomAsync(id)).RoomId
                : (await client.CreateRoomAsync($"room {number}")).RoomId;
            return guest;
        }

        public Task<SRoomChatRes> SayAsync(string word) => Client.ChatAsync(RoomId, $"{word} {Client.Login!.Name}");

        /// <summary>Waits until it has seen so many messages that begin with a word.</summary>
        public async Task HasSeenAsync(string word, int messages)
        {
            while (true)
            {
                Task more;
                lock (_gate)
                {
                    if (Count(word) >= messages)
                    {
                        return;
                    }

                    more = _more.Task;
                }

                await more.WaitAsync(TestTimeouts.Hang);
            }
        }

        /// <summary>A client that was told that all is recovered sees every message; another finds the rest in the history.</summary>
        public async Task RequireAllAsync(string word, int messages)
        {
            if (!Recovery.IsRecovered)
            {
                foreach (SRoomChatNtf message in (await Client.ReadHistoryAfterAsync(RoomId, Recovery.LastSequence)).Messages)
                {
                    See(message);
                }
            }

            await HasSeenAsync(word, messages);
        }

        private void See(SRoomChatNtf message)
        {
            lock (_gate)
            {
                if (!message.System && _texts.Add(message.Text))
                {
                    _more.SetResult();
                    _more = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                }
            }
        }

        private int Count(string word) => _texts.Count(text => text.StartsWith(word, StringComparison.Ordinal));
    }
}
