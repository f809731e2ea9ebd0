using System.Globalization;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Sessions;

/// <summary>Players of several rooms whose links are cut at random moments, under numbered broadcasts.</summary>
public sealed class ResumeStressTests
{
    private const int Cuts = 100;
    private const int Rooms = 3;
    private const int BroadcastsPerCut = 40;

    [Fact]
    public async Task After_each_return_a_member_has_everything_in_order_or_was_told_that_it_has_not()
    {
        await using ResumeHarness harness = await ResumeHarness.StartAsync(static server =>
        {
            server.Options.Sessions.ReplayBytes = 64 * 1024;
            server.Options.Connections.MaxOutboundBytes = 16 * 1024 * 1024;
        });
        AwayRoom[] rooms = [harness.Room, .. Enumerable.Range(1, Rooms - 1).Select(i =>
            harness.Server.Rooms.Create($"room{i}", static context => new AwayRoom(context)))];
        List<Player> players = [];
        foreach (string name in (string[])["ann", "bob", "cy", "dee"])
        {
            (HarnessClient client, byte[] token) = await harness.JoinAsync(name);
            foreach (AwayRoom room in rooms[1..])
            {
                Assert.True((await room.JoinAsync(client.Session)).IsJoined);
            }

            players.Add(new Player(client, token, rooms));
        }

        var random = new Random(4711);
        int sent = 0;
        int recovered = 0;
        for (int cut = 0; cut < Cuts; cut++)
        {
            Player player = players[random.Next(players.Count)];
            bool isQuiet = cut % 2 == 0; // nothing is under way at the cut, so nothing can be lost
            bool isHalfOpen = cut % 3 == 0; // the server does not notice the cut before the return
            var load = new Load(rooms, sent, random.Next(BroadcastsPerCut));
            sent += BroadcastsPerCut;
            if (!isQuiet)
            {
                await load.BeginAsync();
            }

            if (!isHalfOpen)
            {
                player.Client.Break();
                await player.Client.Closed.WaitAsync(TestTimeouts.Hang);
            }

            if (isQuiet && !isHalfOpen)
            {
                await harness.Inner.IdleAsync();
                await load.BeginAsync();
            }

            await player.ReturnAsync(harness, isQuiet);
            if (isQuiet && isHalfOpen)
            {
                await harness.Inner.IdleAsync();
                await load.BeginAsync();
            }

            await load.Ending.WaitAsync(TestTimeouts.Hang);
            await harness.Inner.IdleAsync();
            recovered += player.CountRecovered(mustAll: isQuiet);
        }

        // A player that was told of a loss at the last cut knows only now how far it reaches.
        var last = new Load(rooms, sent, signalAt: 0);
        await last.BeginAsync();
        await last.Ending.WaitAsync(TestTimeouts.Hang);
        await harness.Inner.IdleAsync();

        Assert.InRange(recovered, Rooms * Cuts / 2, Rooms * Cuts);
        Assert.All(players, player => player.AssertHasEverythingUpTo(sent + BroadcastsPerCut));
        Assert.Equal(players.Count, harness.Sessions.Count);
        foreach (Player player in players)
        {
            await harness.Sessions.EndAsync(player.Session);
        }
    }

    /// <summary>Broadcasts numbers in all rooms, beside the test.</summary>
    private sealed class Load(AwayRoom[] rooms, int from, int signalAt)
    {
        private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task Ending { get; private set; } = Task.CompletedTask;

        /// <summary>Completes at a random moment of the load.</summary>
        internal Task BeginAsync()
        {
            Ending = Task.Run(RunAsync);
            return _begun.Task.WaitAsync(TestTimeouts.Hang);
        }

        private async Task RunAsync()
        {
            for (int i = 0; i < BroadcastsPerCut; i++)
            {
                int number = from + i;
                foreach (AwayRoom room in rooms)
                {
                    await room.RunAsync(r => r.Broadcast($"{r.Name}={number}"));
                }

                if (i == signalAt)
                {
                    _begun.SetResult();
                }
            }
        }
    }

    /// <summary>A client on its way over several connections, and what it has received in each room.</summary>
    private sealed class Player
    {
        private readonly Dictionary<string, Progress> _rooms;
        private ReadOnlyMemory<byte> _token;
        private int _read; // frames of the present connection that were looked at

        internal Player(HarnessClient client, byte[] token, AwayRoom[] rooms)
        {
            Client = client;
            Session = client.Session;
            _token = token;
            _rooms = rooms.ToDictionary(static room => room.Name, static _ => new Progress(), StringComparer.Ordinal);
        }

        internal HarnessClient Client { get; private set; }

        internal Session Session { get; }

        internal async Task ReturnAsync(ResumeHarness harness, bool isQuiet)
        {
            if (isQuiet)
            {
                await Eventually.TrueAsync(() => Client.Connection.FramesReceived == Client.Frames.Count);
            }

            // What comes on the former connection after the client has counted is nothing to it: it has left that connection.
            long received = Client.Connection.FramesReceived;
            Read(received);
            HarnessClient next = await harness.Inner.ConnectAsync();
            Resumption? resumption = await harness.Sessions.ResumeAsync(
                next.Session.Connection, _token, framesReceived: received);
            Assert.Same(Session, resumption!.Session);
            await harness.Sessions.ConfirmResumeAsync(Session.Connection);
            _token = resumption.Token;
            Client = next;
            _read = 0;
            foreach (Progress room in _rooms.Values)
            {
                room.BeginConnection();
            }
        }

        /// <summary>The rooms that have said at the last return that nothing is missing.</summary>
        internal int CountRecovered(bool mustAll)
        {
            Read(long.MaxValue);
            Assert.All(_rooms.Values, room => Assert.True(room.HasReturned && (room.IsRecovered || !mustAll)));
            return _rooms.Values.Count(static room => room.IsRecovered);
        }

        internal void AssertHasEverythingUpTo(int end)
        {
            Read(long.MaxValue);
            Assert.All(_rooms.Values, room => Assert.Equal(end, room.Next));
        }

        /// <summary>Reads the frames of the present connection up to a number.</summary>
        private void Read(long end)
        {
            string[] texts = Client.Texts();
            for (; _read < Math.Min(end, texts.Length); _read++)
            {
                string text = texts[_read];
                int at = text.IndexOfAny(['=', ':']);
                _rooms[text[..at]].Read(text[(at + 1)..]);
            }
        }
    }

    private sealed class Progress
    {
        private bool _wasTold; // of frames that it has missed before the present connection, and nothing has come since
        private bool _mayMiss;
        private bool _hasMissed;

        internal int Next { get; private set; }

        internal bool HasReturned { get; private set; }

        internal bool IsRecovered { get; private set; }

        internal void BeginConnection()
        {
            _wasTold |= HasReturned && _mayMiss;
            (_mayMiss, _hasMissed, HasReturned, IsRecovered) = (true, false, false, false);
        }

        internal void Read(string text)
        {
            switch (text)
            {
                case " recovered":
                    Assert.False(_hasMissed, "The room says that nothing is missing.");
                    (HasReturned, IsRecovered, _mayMiss) = (true, true, _wasTold);
                    break;
                case " back":
                    HasReturned = true;
                    break;
                default:
                    int number = int.Parse(text, CultureInfo.InvariantCulture);
                    Assert.True(number == Next || (number > Next && _mayMiss), $"{number} instead of {Next}.");
                    _hasMissed |= number != Next && !_wasTold;
                    _wasTold = false;
                    _mayMiss &= !HasReturned; // after the return everything comes, so only its first number may be a later one
                    Next = number + 1;
                    break;
            }
        }
    }
}
