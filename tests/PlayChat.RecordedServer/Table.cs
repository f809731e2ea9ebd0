#pragma warning disable MA0048 // a room, its member and its packets

using System.Buffers;
using System.Buffers.Binary;
using PlayChat.Chat;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Recording;

namespace PlayChat.RecordedServer;

/// <summary>A room of a user beside those of the chat: players roll dice.</summary>
internal sealed class Table(RoomContext context) : Room<Seat, Sit>(context)
{
    internal const string Title = "table";

    internal static readonly RoomJob<Table, Tip> Tipped =
        new("tipped", TableJson.Default.Tip, static (table, tip) => table.BroadcastPacket(new Rolled("the house", tip.Coins)));

    private readonly Random _dice = context.Random;
    private int _rolls;

    /// <summary>The chat's packets and the table's, which a replay needs as well.</summary>
    internal static PacketSet Packets { get; } = new PacketSet().Add(ChatPackets.All).Add(OwnPackets());

    /// <summary>Adds a table to a chat, and lets operators record it.</summary>
    internal static void AddTo(ChatBuilder chat, RoomRecordings recordings) => chat
        .ConfigureServer(static server => server.AddRoom(Title, static context => new Table(context)))
        .AddPackets(OwnPackets(), Map)
        .UseRecording(recordings);

    internal static void Map(PacketRouter router)
    {
        router.MapPacket<Sit>(static async (context, sit, stop) => context.Reply(new Seated(
            (await context.Rooms.Get<Table>(Title).JoinAsync(context.Session, sit, cancellationToken: stop)).Reason)));
        router.MapRoomPacket<Table, Seat, Roll>(static (table, _, seat, roll) => table.OnRoll(seat, roll));
    }

    protected override void OnCreate()
    {
        StartTick(4);
        Every(TimeSpan.FromSeconds(2), Shuffle);
    }

    protected override void OnSnapshot(IBufferWriter<byte> state)
    {
        BinaryPrimitives.WriteInt32LittleEndian(state.GetSpan(sizeof(int)), _rolls);
        state.Advance(sizeof(int));
    }

    protected override void OnRestore(ReadOnlySpan<byte> state) => _rolls = BinaryPrimitives.ReadInt32LittleEndian(state);

    protected override JoinDecision<Seat> OnJoining(Session session, Sit sit) => new Seat(session, sit.Name);

    protected override void OnLeave(Seat seat, LeaveReason reason) => BroadcastPacket(new Rolled(seat.Name, 0));

    private static PacketSet OwnPackets() => new PacketSet().AddJson(TableJson.Default.Sit).AddJson(TableJson.Default.Seated)
        .AddJson(TableJson.Default.Roll).AddJson(TableJson.Default.Rolled);

    private void OnRoll(Seat seat, Roll roll)
    {
        _rolls++;
        BroadcastPacket(new Rolled(seat.Name, _dice.Next(roll.Sides) + 1)); // throws for fewer sides than none
    }

    private void Shuffle() => _dice.Next();
}

internal sealed class Seat(Session session, string name) : RoomMember(session)
{
    internal string Name => name;
}
