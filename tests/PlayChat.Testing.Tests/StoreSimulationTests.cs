using System.Buffers.Binary;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using Xunit.Sdk;

namespace PlayChat.Testing.Tests;

/// <summary>Worlds in which a server is killed and started again on what its stores hold, while the stores fail in every way.</summary>
public sealed class StoreSimulationTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2.5); // longer than the server's with a store

    [Fact]
    public async Task What_a_store_has_acknowledged_survives_the_process()
    {
        for (int seed = 1; seed <= 60; seed++)
        {
            await new World(seed, storeLies: false).RunAsync();
        }
    }

    [Fact]
    public async Task A_store_that_acknowledges_what_it_has_not_written_is_found() =>
        await Assert.ThrowsAnyAsync<XunitException>(static async () =>
        {
            for (int seed = 1; seed <= 60; seed++)
            {
                await new World(seed, storeLies: true).RunAsync();
            }
        });

    /// <summary>A room that acknowledges a note when the store has it, and begins with the notes of the store.</summary>
    private sealed class NoteRoom(RoomContext context, FaultyStore.Disk disk, FaultyStore store) : Room<RoomMember>(context)
    {
        internal List<int> Notes { get; } = [.. disk.Notes];

        protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

        protected override void OnFrame(Session from, FrameHeader header, ReadOnlySpan<byte> body) =>
            _ = KeepAsync(BinaryPrimitives.ReadInt32BigEndian(body));

        private async Task KeepAsync(int note)
        {
            try
            {
                await store.AppendAsync(note);
            }
            catch (IOException)
            {
                return; // not acknowledged: the player may send it again
            }

            await this.PostAsync(room =>
            {
                room.Notes.Add(note);
                byte[] body = new byte[sizeof(int)];
                BinaryPrimitives.WriteInt32BigEndian(body, note);
                room.Broadcast(body, new FrameHeader(PacketId: 2));
            });
        }
    }

    private sealed class Player(long id)
    {
        internal long Id => id;

        internal HarnessClient? Client { get; set; }

        internal Session? Session { get; set; }

        /// <summary>The newest token that the player was shown.</summary>
        internal ReadOnlyMemory<byte> Token { get; set; }

        /// <summary>Whether the store has acknowledged all that the server had to save since the player got it.</summary>
        internal bool IsStored { get; set; }

        /// <summary>Whether the player has logged out with it, and the store has acknowledged that.</summary>
        internal bool IsVoid { get; set; }
    }

    private sealed class World(int seed, bool storeLies)
    {
        private readonly Random _random = new(seed * 7919);
        private readonly FaultyStore.Disk _disk = new();
        private readonly Player[] _players = [new(1), new(2), new(3)];
        private readonly HashSet<int> _acknowledged = [];
        private FaultyStore _store = null!;
        private RoomHarness<NoteRoom> _harness = null!;
        private int _notes;

        internal async Task RunAsync()
        {
            await StartAsync();
            for (int step = 0; step < 40; step++)
            {
                Player player = _players[_random.Next(_players.Length)];
                if (_random.Next(12) == 0)
                {
                    await KillAsync(player);
                }
                else
                {
                    await CompleteAsync(player, ActAsync(player, await ConnectAsync(player)));
                }
            }

            await KillAsync(_players[0]);
            await EndAsync();
        }

        private async Task StartAsync()
        {
            _store = new FaultyStore(_disk, new Random(_random.Next()), storeLies);
            _harness = await RoomHarness.StartAsync(
                context => new NoteRoom(context, _disk, _store),
                configure: server =>
                {
                    server.Options.Sessions.ResumeWindow = TimeSpan.FromDays(1); // far longer than a world
                    server.UseResumeStore(_store, tokenLifetime: TimeSpan.FromDays(30))
                        .OnFrameAsync((connection, frame, _) => PostAsync(_harness.Room.PostFrameAsync(Session.Of(connection), in frame)));
                });
            _store.Time = _harness.Time;
            Assert.All(_acknowledged, note => Assert.True(
                _harness.Room.Notes.Contains(note), $"seed {seed}: note {note} was acknowledged, and is lost"));
        }

        private static async ValueTask PostAsync(ValueTask<bool> posting) => await posting;

        private async Task EndAsync()
        {
            _store.IsDead = true; // so what the server still does reaches neither the disk nor a player
            await _harness.AdvanceAsync(s_patience * 2);
            await _harness.DisposeAsync();
        }

        /// <summary>Kills the server, perhaps in the middle of what a player does, and starts it again.</summary>
        private async Task KillAsync(Player busy)
        {
            _ = ActAsync(busy, await ConnectAsync(busy));
            if (_random.Next(2) == 0)
            {
                await _harness.IdleAsync(); // so that a call of the store may be under way
            }

            await EndAsync(); // a token that was stored before is valid, whether its resume had begun or not
            foreach (Player player in _players)
            {
                player.Client = null;
            }

            await StartAsync();
            _store.HasFaults = false;
            foreach (Player player in _players.Where(static player => !player.Token.IsEmpty))
            {
                HarnessClient client = await _harness.ConnectAsync();
                Resumption? resumption = await _harness.Server.Sessions.ResumeAsync(client.Session.Connection, player.Token);
                Assert.True(
                    resumption is not null || !player.IsStored, $"seed {seed}: player {player.Id} has a stored token, which is unknown");
                Assert.True(resumption is null || !player.IsVoid, $"seed {seed}: player {player.Id} has logged out, and is back");
                Assert.Equal(player.Id, resumption?.Session.User!.Id ?? player.Id);
                (player.Client, player.Session) = resumption is null ? (null, null) : (client, resumption.Session);
                (player.Token, player.IsStored, player.IsVoid) = (resumption?.Token ?? default, resumption is not null, false);
            }

            _store.HasFaults = true;
        }

        /// <summary>Lets the clock pass until the server has done what a player wants, or gives the store up.</summary>
        private async Task CompleteAsync(Player player, Task acting)
        {
            int faults = _store.Faults;
            do
            {
                await _harness.AdvanceAsync(s_patience);
            }
            while (!acting.IsCompleted);

            await acting;
            player.IsStored &= _store.Faults == faults;
        }

        /// <summary>Connects a player that is away. The harness takes one call at a time, so nothing else happens meanwhile.</summary>
        private async Task<HarnessClient> ConnectAsync(Player player)
        {
            if (player.Client is { } present)
            {
                return present;
            }

            HarnessClient client = await _harness.ConnectAsync();
            client.OnReceived = OnReceived;
            return client;
        }

        private async Task ActAsync(Player player, HarnessClient client)
        {
            var random = new Random(_random.Next()); // of this act alone, because it may go on while the world does
            (RoomHarness<NoteRoom> harness, FaultyStore store) = (_harness, _store); // not those of the next process
            SessionRegistry sessions = harness.Server.Sessions;
            int faults = store.Faults;
            if (player.Client is null)
            {
                if (!player.Token.IsEmpty)
                {
                    await ResumeAsync(player, client, sessions, store, random);
                    return;
                }

                sessions.Bind(client.Session, new SessionUser(player.Id, $"player {player.Id}"));
                ReadOnlyMemory<byte> token = await sessions.IssueResumeTokenAsync(client.Session);
                if (store.IsDead)
                {
                    return;
                }

                (player.Client, player.Session, player.Token) = (client, client.Session, token);
                (player.IsStored, player.IsVoid) = (store.Faults == faults, false);
                await harness.Room.JoinAsync(client.Session);
                return;
            }

            switch (random.Next(4))
            {
                case 0:
                    client.Break();
                    player.Client = null;
                    break;
                case 1:
                    player.Client = null;
                    player.IsStored = false;
                    await sessions.EndAsync(player.Session!);
                    player.IsVoid = store.Faults == faults && !store.IsDead;
                    break;
                default:
                    byte[] note = new byte[sizeof(int)];
                    BinaryPrimitives.WriteInt32BigEndian(note, ++_notes);
                    client.Send(note, new FrameHeader(PacketId: 1));
                    break;
            }
        }

        private void OnReceived(ReceivedFrame frame)
        {
            if (frame.Header.PacketId == 2) // not what the server says when it closes the connection
            {
                lock (_acknowledged)
                {
                    _acknowledged.Add(BinaryPrimitives.ReadInt32BigEndian(frame.Body.Span));
                }
            }
        }

        /// <summary>Resumes; now and then the player does not get the answer, and shows the same token again later.</summary>
        private async Task ResumeAsync(
            Player player, HarnessClient client, SessionRegistry sessions, FaultyStore store, Random random)
        {
            int faults = store.Faults;
            bool isLost = random.Next(3) == 0;
            Resumption? resumption;
            try
            {
                resumption = await sessions.ResumeAsync(client.Session.Connection, player.Token);
            }
            catch (ResumeStoreException)
            {
                return; // the client has to try again
            }

            if (store.IsDead)
            {
                return;
            }

            if (resumption is null)
            {
                Assert.False(player.IsStored, $"seed {seed}: player {player.Id} has a stored token, which is unknown");
                player.Token = default;
            }
            else if (isLost)
            {
                client.Break();
            }
            else
            {
                Assert.False(player.IsVoid, $"seed {seed}: player {player.Id} has logged out, and is back");
                (player.Client, player.Session, player.Token) = (client, resumption.Session, resumption.Token);
                player.IsStored = store.Faults == faults;
                if (random.Next(2) == 0)
                {
                    await sessions.ConfirmResumeAsync(client.Session.Connection);
                }
            }
        }
    }
}
