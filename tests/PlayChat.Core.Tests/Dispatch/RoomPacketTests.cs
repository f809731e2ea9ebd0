using System.Buffers;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;
using RoomHarness = PlayChat.Core.Tests.Rooms.RoomHarness;

namespace PlayChat.Core.Tests.Dispatch;

public sealed class RoomPacketTests : IAsyncDisposable
{
    private readonly RoomHarness _harness = new(static options => options.QueueItems = 2);
    private readonly PacketRouter _router = new(provider: null, new PacketSet().Add(new TextPacket(7)));
    private readonly MemberRoom _room;
    private readonly Session _session;

    public RoomPacketTests()
    {
        _room = _harness.Rooms.Create("members", static context => new MemberRoom(context));
        _session = _harness.NewSession();
    }

    public ValueTask DisposeAsync() => _harness.DisposeAsync();

    [Fact]
    public async Task A_packet_is_handled_in_the_turn_of_the_room_in_which_its_sender_is_a_member()
    {
        await _room.JoinAsync(_session);
        var handled = new TaskCompletionSource<(MemberRoom, TestMember, string)>();
        _router.MapRoomPacket<MemberRoom, TestMember, string>((room, member, text) => handled.SetResult((room, member, text)));

        Assert.True(Receive().IsCompletedSuccessfully);

        (MemberRoom room, TestMember member, string text) = await handled.Task.WaitAsync(TestTimeouts.Hang);
        Assert.Same(_room, room);
        Assert.Same(_session, member.Session);
        Assert.Equal("a", text);
    }

    [Fact]
    public async Task A_sender_in_no_such_room_is_answered_or_dropped()
    {
        List<ushort> answered = [];
        _router.MapRoomPacket<MemberRoom, TestMember, string>(7, static (_, _, _) => Assert.Fail("Nobody is in the room."));

        await Receive();
        _router.OnNoRoom = context => answered.Add(context.PacketId);
        await Receive();

        Assert.Equal([7], answered);
        Assert.True(_session.Connection.IsOpen);
    }

    [Fact]
    public async Task While_the_room_s_queue_is_full_the_sender_waits()
    {
        await _room.JoinAsync(_session);
        using var goOn = new ManualResetEventSlim();
        int handled = 0;
        _router.MapRoomPacket<MemberRoom, TestMember, string>((_, _, _) =>
        {
            goOn.Wait(TestTimeouts.Hang);
            Interlocked.Increment(ref handled);
        });

        List<ValueTask> sent = [];
        while (sent.Count < 10 && (sent.Count == 0 || sent[^1].IsCompleted))
        {
            sent.Add(Receive());
        }

        Assert.False(sent[^1].IsCompleted);
        goOn.Set();
        await sent[^1].AsTask().WaitAsync(TestTimeouts.Hang);
        await Eventually.TrueAsync(() => Volatile.Read(ref handled) == sent.Count);
    }

    [Fact]
    public void A_message_that_does_not_last_until_the_turn_is_refused()
    {
        InvalidOperationException e = Assert.Throws<InvalidOperationException>(
            () => _router.MapRoomPacket<MemberRoom, TestMember, int>(new TransientPacket(9), static (_, _, _) => { }));

        Assert.Contains("transient", e.Message, StringComparison.Ordinal);
    }

    private ValueTask Receive()
    {
        _router.Start(_harness.Metrics, _harness.Logger, _harness.Time);
        FrameData data = FrameData.OfBody(new ReadOnlySequence<byte>("a"u8.ToArray()), new FrameHeader(7));
        return _router.HandleAsync(_session.Connection, new Frame(in data));
    }
}
