using System.Text.Json;
using Google.Protobuf;
using PlayChat.AttackTests.Harness;
using PlayChat.Protocol;
using PlayChat.RoomProbe;
using PlayChat.TestUtilities.Hostile;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests;

/// <summary>Members of a room that stop reading, reconnect, and stop reading again.</summary>
[Trait("Tier", "Full")]
public sealed class StallingMemberTests
{
    private const int Attackers = 10;
    private const int TextBytes = 3000;

    // What a stalled member leaves unread before it breaks off: more than the kernel's buffers take.
    private const int TextsUnread = 40;

    // However slow the machine: every member reconnects.
    private const int LeastTexts = 3 * TextsUnread;

    [Theory]
    [InlineData("sockets", 2)]
    [InlineData("linux", 2)]
    [InlineData("sockets", 30, Explicit = true)]
    [InlineData("linux", 30, Explicit = true)]
    public async Task The_rooms_deliveries_go_on(string transport, int seconds)
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            $"--Transport={transport}", "--PlayChat:Transport:SendBufferBytes=8192", "--PlayChat:Connections:MaxOutboundBytes=65536");
        await using RoomBeside room = await RoomBeside.StartAsync(server);
        Baseline before = await room.MeasureBusyAsync(transport, 2, TimeSpan.FromSeconds(0.5));

        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(seconds));
        var talk = new Loudspeaker(await Ordinary.LoginAsync(server, "loud"), room.RoomId, stop.Token);
        Task talking = talk.RunAsync();
        Task<int>[] members =
            [.. Enumerable.Range(1, Attackers).Select(i => StallAsync(server, room.RoomId, $"deaf {i}", talk))];
        RoomReport attacked = await room.MeasureAsync(Task.WhenAll([talking, .. members]));

        await talk.Client.DisposeAsync();
        attacked.AssertLike(before);
        int joins = (await Task.WhenAll(members)).Sum();
        Assert.True(joins > Attackers, $"Only {joins} joins.");
        JsonElement figures = await Aftermath.AssertUnharmedAsync(server, room);
        Assert.True(ServerProcess.Figure(figures, "closes", "slow_consumer") > 0, figures.ToString());
    }

    /// <returns>How often it has joined the room.</returns>
    private static async Task<int> StallAsync(ServerProcess server, long roomId, string name, Loudspeaker talk)
    {
        byte[] join = RawPeer.Packet((ushort)PacketId.CJoinRoomReq, requestId: 2, new CJoinRoomReq { RoomId = roomId }.ToByteArray());
        int joins = 0;
        while (!talk.IsOver)
        {
            using RawPeer peer = await RawPeer.ConnectAsync(server.Port, receiveBufferBytes: 4096);
            await peer.TrySendAsync(HostileFrames.Login(name));
            await peer.TrySendAsync(join);
            joins++;
            await talk.SaidAsync(talk.Said + TextsUnread);
            peer.Reset();
        }

        return joins;
    }

    /// <summary>A member that fills the room with long texts, one after the other.</summary>
    private sealed class Loudspeaker(ChatClient client, long roomId, CancellationToken stop)
    {
        private readonly string _text = new('.', TextBytes);
        private int _said;
        private TaskCompletionSource _next = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ChatClient Client => client;

        public int Said => Volatile.Read(ref _said);

        public bool IsOver => stop.IsCancellationRequested && Said >= LeastTexts;

        public async Task RunAsync()
        {
            await client.JoinRoomAsync(roomId, CancellationToken.None);
            while (!IsOver)
            {
                // Awaits the answer: the room sets the pace.
                await client.ChatAsync(roomId, _text, cancellationToken: CancellationToken.None);
                Interlocked.Increment(ref _said);
                Interlocked.Exchange(ref _next, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).SetResult();
            }

            Volatile.Read(ref _next).TrySetResult();
        }

        public async Task SaidAsync(int count)
        {
            while (Said < count && !IsOver)
            {
                Task next = Volatile.Read(ref _next).Task;
                if (Said < count)
                {
                    await next;
                }
            }
        }
    }
}
