using System.Text;
using System.Text.Json;
using ArenaServer.Protocol;
using Google.Protobuf;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Protobuf;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;

namespace PlayChat.AttackTests.Fuzzing;

/// <summary>Every decoder of bytes that come from others.</summary>
internal static class FuzzTargets
{
    private const int SmallFrame = 40; // a limit that inputs reach
    private const int LargeFrame = 4096;

    public static FuzzTarget[] All { get; } =
    [
        Framing("packet", FrameFormat.Packet(SmallFrame)),
        Framing("length4", FrameFormat.LengthPrefixed(SmallFrame, prefixBytes: 4)),
        Framing("length4, little-endian", FrameFormat.LengthPrefixed(SmallFrame, prefixBytes: 4, littleEndian: true)),
        Framing("length2", FrameFormat.LengthPrefixed(SmallFrame, prefixBytes: 2)),
        Framing("length2, little-endian", FrameFormat.LengthPrefixed(SmallFrame, prefixBytes: 2, littleEndian: true)),
        Framing("sender", FrameFormat.SenderPrefixed(SmallFrame)),
        Framing("line", FrameFormat.Line(SmallFrame)),
        Framing("raw", FrameFormat.Raw(SmallFrame)),
        new StreamTarget("chat", FrameFormat.Packet(LargeFrame), ChatPackets.All, Chat()),
        new StreamTarget("chat, messages used again", FrameFormat.Packet(LargeFrame), Reused(), Chat()),
        new StreamTarget("arena", FrameFormat.Packet(LargeFrame), ArenaPackets.All, Arena()),
        new ProxyTarget(),
        new KpiTarget(),
    ];

    private static StreamTarget Framing(string name, FrameFormat format)
    {
        byte[][] bodies = [[], [1], [1, 2, 3], new byte[format.MaxBodyBytes], [0xFF, 0x0D, 0x0B], Encoding.UTF8.GetBytes("말했다 \r")];
        byte[] header = new byte[256];
        return new StreamTarget(name, format, packets: null, Array.ConvertAll(bodies, body =>
        {
            int bytes = format.Encode(body, new FrameHeader(1, 2, 3), header);
            return header[..bytes];
        }));
    }

    private static PacketSet Reused() => new PacketSet()
        .AddProtobuf((ushort)PacketId.CLoginReq, CLoginReq.Parser, reuse: true)
        .AddProtobuf((ushort)PacketId.CResumeReq, CResumeReq.Parser, reuse: true)
        .AddProtobuf((ushort)PacketId.CRoomChatReq, CRoomChatReq.Parser, reuse: true)
        .AddProtobuf((ushort)PacketId.SLoginRes, SLoginRes.Parser, reuse: true)
        .AddProtobuf((ushort)PacketId.SRoomChatNtf, SRoomChatNtf.Parser, reuse: true);

    private static byte[][] Chat() =>
    [
        Packet(PacketId.CLoginReq, new CLoginReq { Name = "민수", Password = "비밀번호", ClientVersion = "fuzz 1" }),
        Packet(PacketId.CResumeReq, new CResumeReq { Token = Bytes(32), Rooms = { new RoomPlace { RoomId = 1, LastSequence = 9 } } }),
        Packet(PacketId.CEchoReq, new CEchoReq { Payload = Bytes(20) }),
        Packet(PacketId.CCreateRoomReq, new CCreateRoomReq { Name = "방 📢" }),
        Packet(PacketId.CJoinRoomReq, new CJoinRoomReq { RoomId = 7 }),
        Packet(PacketId.CRoomChatReq, new CRoomChatReq { RoomId = 7, Text = "안녕", ClientMessageId = ulong.MaxValue }),
        Packet(PacketId.CDirectChatReq, new CDirectChatReq { PlayerId = 7, Text = "안녕" }),
        Packet(PacketId.SDirectChatNtf, new SDirectChatNtf { PlayerId = 7, PlayerName = "민수", Text = "안녕", SentAtUnixMs = 1 }),
        Packet(PacketId.CLeaveRoomReq, new CLeaveRoomReq { RoomId = 7 }),
        Packet(PacketId.CListRoomsReq, new CListRoomsReq()),
        Packet(PacketId.CRoomHistoryReq, new CRoomHistoryReq()),
        Packet(PacketId.SLoginRes, new SLoginRes { PlayerId = 1, Name = "민수", Server = new ServerInfo(), ResumeToken = Bytes(32) }),
        Packet(PacketId.SRoomChatNtf, new SRoomChatNtf { RoomId = 1, Sequence = 2, PreviousSequence = 1, Text = "안녕", PlayerId = 3 }),
        Packet(PacketId.SErrorNtf, new SErrorNtf { Code = ErrorCode.RateLimited, Message = "slowly", RetryAfterMs = 1000 }),
        Packet(PacketId.SCloseNtf, new SCloseNtf { Reason = CloseCode.FrameTimeout }),
        Packet(PacketId.SListRoomsRes, new SListRoomsRes { Rooms = { new RoomInfo(), new RoomInfo() } }),
    ];

    private static byte[][] Arena()
    {
        var player = new PlayerState(1, "Ada", 1.5f, 2.5f, 3, IsAway: false);
        return
        [
            Packet(ArenaPacketId.Join, new Join("Ada")),
            Packet(ArenaPacketId.Resume, new Resume(new byte[32])),
            Packet(ArenaPacketId.JoinAnswer, new JoinAnswer(1, new byte[32], "full")),
            Packet(ArenaPacketId.Goodbye, new Goodbye()),
            Packet(ArenaPacketId.State, new ArenaState(10, 20, [player, player], new Cell(1, 2))),
            Packet(ArenaPacketId.Event, new ArenaEvent(default, player, new Cell(1, 2))),
            RawPeer.Packet((ushort)ArenaPacketId.Steer, 1, [1, 0xFF]),
            RawPeer.Packet((ushort)ArenaPacketId.Position, 1, new byte[16]),
        ];
    }

    private static ByteString Bytes(int count) => ByteString.CopyFrom(new byte[count]);

    private static byte[] Packet(PacketId id, IMessage message) => RawPeer.Packet((ushort)id, 1, message.ToByteArray());

    private static byte[] Packet<TMessage>(ArenaPacketId id, TMessage message) =>
        RawPeer.Packet((ushort)id, 1, JsonSerializer.SerializeToUtf8Bytes(message));
}
