using System.Buffers.Binary;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomPacketTests
{
    private static readonly PacketSet s_packets = new PacketSet().Add(new NumberPacket(7));
    private static readonly NumberPacket s_other = new(8);

    [Fact]
    public async Task A_message_goes_as_its_packet_to_those_for_whom_it_is()
    {
        await using RoomHarness<PacketRoom> harness = await RoomHarness.StartAsync(
            static context => new PacketRoom(context), s_packets, static server => server.OnPackets(static _ => { }));
        HarnessClient[] clients = await harness.ConnectAsync(2);

        await harness.InTurnAsync(room => room.Say(SessionsOf(clients)));

        Assert.Equal([(7, 1), (8, 3), (8, 4), (7, 5)], Numbers(clients[0]));
        Assert.Equal([(7, 1), (7, 2), (8, 4)], Numbers(clients[1]));
        Assert.Equal([0, 0, 0, 1], clients[0].Frames.Select(static frame => (int)frame.Header.RequestId));
    }

    [Fact]
    public async Task Every_message_passes_the_filters_which_may_stop_it()
    {
        var filter = new StoppingFilter(stops: 8);
        await using RoomHarness<PacketRoom> harness = await RoomHarness.StartAsync(
            static context => new PacketRoom(context), s_packets, server => server.OnPackets(router => router.AddFilter(filter)));
        HarnessClient[] clients = await harness.ConnectAsync(2);

        await harness.InTurnAsync(room => room.Say(SessionsOf(clients)));

        Assert.Equal([(7, 1), (7, 5)], Numbers(clients[0]));
        Assert.Equal([(7, 1), (7, 2)], Numbers(clients[1]));
        Assert.Equal(["7 to 2", "7 to 1", "8 to 1", "8 to 2", "7 to 1, answer to 1"], filter.Seen);
    }

    [Fact]
    public async Task A_message_that_no_packet_carries_is_the_callers_fault()
    {
        await using RoomHarness<PacketRoom> harness = await RoomHarness.StartAsync(static context => new PacketRoom(context));

        await Assert.ThrowsAsync<InvalidOperationException>(() => harness.InTurnAsync(static room => room.Say([])));
    }

    private static Session[] SessionsOf(HarnessClient[] clients) => [.. clients.Select(static client => client.Session)];

    private static (int PacketId, long Number)[] Numbers(HarnessClient client) =>
        [.. client.Frames.Select(static frame => ((int)frame.Header.PacketId, BinaryPrimitives.ReadInt64BigEndian(frame.Body.Span)))];

    private sealed class StoppingFilter(ushort stops) : PacketFilter
    {
        internal List<string> Seen { get; } = [];

        protected internal override bool OnSend(OutgoingPacket packet)
        {
            Seen.Add($"{packet.Type.Id} to {packet.Recipients}" + (packet.RequestId == 0 ? "" : $", answer to {packet.RequestId}"));
            return packet.Type.Id != stops && packet.Next();
        }
    }

    private sealed class PacketRoom(RoomContext context) : PlainRoom(context)
    {
        internal void Say(Session[] members)
        {
            Array.ForEach(members, member => Join(member));
            BroadcastPacket(1L);
            BroadcastPacket(2L, Delivery.LatestOnly(1), except: members[0]);
            BroadcastPacketTo([members[0]], 3L, type: s_other);
            BroadcastPacket(4L, Delivery.DropIfBehind, type: s_other);
            SendPacket(members[0], 5L, requestId: 1);
        }
    }
}
