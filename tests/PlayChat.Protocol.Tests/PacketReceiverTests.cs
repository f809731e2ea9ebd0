using System.Buffers;
using Google.Protobuf;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Protobuf;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

/// <summary>Packets that need no connection: nothing is sent or closed because of them.</summary>
public sealed class PacketReceiverTests
{
    private static readonly FrameFormat s_format = FrameFormat.Packet();

    private readonly PendingRequests _pending = new();
    private readonly RoomTracker _rooms = new(TimeProvider.System);
    private readonly LoginState _login = new();
    private readonly ChatEvents _events = new(new object(), NullLogger.Instance);
    private readonly RequestSender _requests;
    private readonly PacketReceiver _receiver;

    public PacketReceiverTests()
    {
        var options = new ChatClientOptions();
        var probe = new SilenceProbe(_pending, Timeout.InfiniteTimeSpan, TimeProvider.System);
        _requests = new RequestSender(_pending, options);
        _receiver = new PacketReceiver(_pending, _rooms, _requests, _login, probe, _events, static (_, _) => false, NullLogger.Instance);
    }

    [Fact]
    public async Task A_login_is_known_when_its_answer_completes_and_sets_what_the_server_takes()
    {
        var request = new PendingRequest<CLoginReq, SLoginRes>(ChatPackets.CLoginReq, new CLoginReq());
        ushort id = _pending.Add(request, out _);

        Receive(
            ChatPackets.SLoginRes,
            new SLoginRes { PlayerId = 7, ResumeToken = ByteString.CopyFromUtf8("t"), Server = new ServerInfo { MaxFrameBytes = 100 } },
            id);

        Assert.Equal(7, (await request.Answer.WaitAsync(TestTimeouts.Hang)).PlayerId);
        Assert.Equal(7, _login.Answer!.PlayerId);
        Assert.Equal("t", _login.ResumeToken.ToStringUtf8());
        var large = new CEchoReq { Payload = ByteString.CopyFrom(new byte[200]) };
        Assert.Throws<ArgumentException>(() => _requests.RequireFits(ChatPackets.CEchoReq, large));
    }

    [Fact]
    public void An_answer_that_no_request_awaits_changes_the_rooms_all_the_same()
    {
        Receive(ChatPackets.SJoinRoomRes, new SJoinRoomRes { RoomId = 5, Name = "lobby", LatestSequence = 3 }, requestId: 99);

        Assert.Equal("lobby", _rooms.Find(5)!.Name);
    }

    [Fact]
    public void A_message_is_raised_with_what_is_missing_before_it()
    {
        var raised = new List<long>();
        _events.ChatReceived += (_, args) => raised.Add(args.MissedBefore);
        _rooms.Enter(5, "lobby", [], latestSequence: 3);

        Receive(ChatPackets.SRoomChatNtf, new SRoomChatNtf { RoomId = 5, Sequence = 4, PreviousSequence = 3 });
        Receive(ChatPackets.SRoomChatNtf, new SRoomChatNtf { RoomId = 5, Sequence = 9, PreviousSequence = 8 });

        Assert.Equal([0, 4], raised);
    }

    [Fact]
    public async Task An_error_fails_its_request_or_is_a_notice_without_one()
    {
        var request = new PendingRequest<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
        ushort id = _pending.Add(request, out _);
        var notices = new List<ErrorCode>();
        _events.ServerNotice += (_, args) => notices.Add(args.Code);

        Receive(ChatPackets.SErrorNtf, new SErrorNtf { Code = ErrorCode.ServerBusy, Message = "Later.", RetryAfterMs = 5 }, id);
        Receive(ChatPackets.SErrorNtf, new SErrorNtf { Code = ErrorCode.NotInRoom });

        ChatErrorException refused = await Assert.ThrowsAsync<ChatErrorException>(() => request.Answer);
        Assert.Equal((ErrorCode.ServerBusy, TimeSpan.FromMilliseconds(5)), (refused.Code, refused.RetryAfter));
        Assert.Equal([ErrorCode.NotInRoom], notices);
    }

    [Fact]
    public void A_packet_of_a_newer_server_is_ignored() =>
        Receive(new PacketSet().AddProtobuf(60_000, SEchoRes.Parser).Get<SEchoRes>(), new SEchoRes());

    private void Receive<TMessage>(PacketType<TMessage> packet, TMessage message, ushort requestId = 0)
    {
        byte[] body = new byte[packet.GetBodyBytes(message)];
        packet.Encode(message, body);
        byte[] frame = new byte[s_format.GetEncodedBytes(body.Length)];
        s_format.Encode(body, new FrameHeader(packet.Id, requestId), frame);
        FrameScan.ReadAll(s_format, new ReadOnlySequence<byte>(frame), (in Frame received) => _receiver.OnFrame(null!, in received));
    }
}
