using System.Buffers.Binary;
using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Dispatch;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomPacketTests
{
    private static readonly NumberPacket s_number = new(7);
    private static readonly NumberPacket s_other = new(8);

    [Fact]
    public async Task A_message_goes_as_its_packet_to_those_for_whom_it_is()
    {
        await using var harness = new RoomHarness(packets: new PacketSet().Add(s_number));
        Session[] sessions = [harness.NewSession(), harness.NewSession()];
        PacketRoom room = harness.Rooms.Create("packets", static context => new PacketRoom(context));

        await room.PostAsync(static (PacketRoom inTurn, Session[] members, object? _) => inTurn.Say(members), sessions, null);
        await room.DrainAsync(CancellationToken.None);

        Assert.Equal([1, 3, 4, 5], Numbers(harness, sessions[0]));
        Assert.Equal([1, 2, 4], Numbers(harness, sessions[1]));
    }

    [Fact]
    public async Task Every_message_passes_the_outlet_which_may_stop_it()
    {
        var outlet = new StoppingOutlet(stops: 8);
        await using var harness = new RoomHarness(packets: new PacketSet().Add(s_number), outlet: outlet);
        Session[] sessions = [harness.NewSession(), harness.NewSession()];
        PacketRoom room = harness.Rooms.Create("packets", static context => new PacketRoom(context));

        await room.PostAsync(static (PacketRoom inTurn, Session[] members, object? _) => inTurn.Say(members), sessions, null);
        await room.DrainAsync(CancellationToken.None);

        Assert.Equal([1, 5], Numbers(harness, sessions[0]));
        Assert.Equal([1, 2], Numbers(harness, sessions[1]));
        Assert.Equal(["7 to 2", "7 to 1", "8 to 1", "8 to 2", "7 to 1, answer to 1"], outlet.Seen.ToArray());
    }

    [Fact]
    public async Task A_message_that_no_packet_carries_is_the_callers_fault()
    {
        await using var harness = new RoomHarness(packets: new PacketSet());
        PacketRoom room = harness.Rooms.Create("packets", static context => new PacketRoom(context));

        await room.PostAsync(static (PacketRoom inTurn, Session[] _, object? _) => inTurn.Say([]), (Session[])[], null);
        await room.DrainAsync(CancellationToken.None);

        Assert.Equal(1, harness.Logger.Count("JobFault"));
    }

    private static long[] Numbers(RoomHarness harness, Session session) =>
        [.. harness.Received(session).Select(static body => BinaryPrimitives.ReadInt64BigEndian(Encoding.Latin1.GetBytes(body)))];

    private sealed class StoppingOutlet(ushort stops) : PacketOutlet
    {
        internal List<string> Seen { get; } = [];

        internal override bool Send<TMessage, TState>(
            Connection? connection, int recipients, PacketType<TMessage> type, TMessage message, ushort requestId, TState state, PacketSender<TMessage, TState> send)
        {
            Seen.Add($"{type.Id} to {recipients}" + (requestId == 0 ? "" : $", answer to {requestId}"));
            return type.Id != stops && send(state, type, message, requestId);
        }
    }

    private sealed class PacketRoom(RoomContext context) : Room(context)
    {
        internal void Say(Session[] members)
        {
            Array.ForEach(members, member => Enter(member));
            BroadcastPacket(1L);
            BroadcastPacketExcept(members[0], 2L, Delivery.LatestOnly(1));
            BroadcastPacketTo([members[0]], s_other, 3L);
            BroadcastPacket(s_other, 4L, Delivery.DropIfBehind);
            SendPacket(members[0], 5L, requestId: 1);
        }
    }
}
