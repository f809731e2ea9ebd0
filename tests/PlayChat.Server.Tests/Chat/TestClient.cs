using System.Net;
using System.Threading.Channels;
using Google.Protobuf;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Transport;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

/// <summary>One connection that sends packets and keeps what comes, in order.</summary>
internal sealed class TestClient : IAsyncDisposable
{
    private static readonly Dictionary<ushort, Decoder> s_decoders = [];

    private readonly PlayChatConnector _connector;
    private readonly Channel<(ushort RequestId, IMessage Message)> _received = Channel.CreateUnbounded<(
        ushort RequestId, IMessage Message)>();
    private readonly List<(ushort RequestId, IMessage Message)> _passedOver = [];
    private ushort _lastRequestId;

    static TestClient()
    {
        Add(ChatPackets.SEchoRes);
        Add(ChatPackets.SHeartbeatNtf);
        Add(ChatPackets.SErrorNtf);
        Add(ChatPackets.SCloseNtf);
        Add(ChatPackets.SNoticeNtf);
        Add(ChatPackets.SLoginRes);
        Add(ChatPackets.SCreateRoomRes);
        Add(ChatPackets.SJoinRoomRes);
        Add(ChatPackets.SRoomChatRes);
        Add(ChatPackets.SLeaveRoomAck);
        Add(ChatPackets.SListRoomsRes);
        Add(ChatPackets.SRoomHistoryRes);
        Add(ChatPackets.SResumeRes);
        Add(ChatPackets.SRoomStateNtf);
        Add(ChatPackets.SJoinRoomNtf);
        Add(ChatPackets.SRoomChatNtf);
        Add(ChatPackets.SDirectChatRes);
        Add(ChatPackets.SEditMessageRes);
        Add(ChatPackets.SModerateRes);
        Add(ChatPackets.SListMembersRes);
        Add(ChatPackets.SMessageEditedNtf);
        Add(ChatPackets.SRoomLeftNtf);
        Add(ChatPackets.SInvitedNtf);
        Add(ChatPackets.STypingNtf);
        Add(ChatPackets.SDirectChatNtf);
        Add(ChatPackets.SDirectSentNtf);
        Add(ChatPackets.SSearchRes);
        Add(ChatPackets.SReactRes);
        Add(ChatPackets.SReactionNtf);
        Add(ChatPackets.SListConversationsRes);
        Add(ChatPackets.SDirectHistoryRes);
        Add(ChatPackets.SBlockPlayerRes);
        Add(ChatPackets.SRoomEnteredNtf);
        Add(ChatPackets.SChangePasswordRes);
        Add(ChatPackets.SListDevicesRes);
        Add(ChatPackets.SEndDeviceRes);
        Add(ChatPackets.SReportRes);
        Add(ChatPackets.SListReportsRes);
        Add(ChatPackets.SResolveReportRes);
        Add(ChatPackets.SReportNtf);
    }

    private TestClient(ITransport? transport)
    {
        _connector = new PlayChatConnector(
            FrameFormat.Packet(ChatLimits.MaxServerFrameBytes),
            Receive,
            closed: (_, _) => _received.Writer.TryComplete(),
            transport: transport);
    }

    private delegate IMessage Decoder(in Frame frame);

    public Connection Connection { get; private set; } = null!;

    public long PlayerId { get; private set; }

    public Task<CloseReason> Closed => Connection.Closed.WaitAsync(TestTimeouts.Hang);

    /// <param name="endPoint">The server's.</param>
    /// <param name="transport">The server's, where that is none of sockets.</param>
    public static async Task<TestClient> ConnectAsync(IPEndPoint endPoint, ITransport? transport = null)
    {
        var client = new TestClient(transport);
        client.Connection = await client._connector.ConnectAsync(endPoint).WaitAsync(TestTimeouts.Hang);
        return client;
    }

    public ValueTask DisposeAsync() => _connector.DisposeAsync();

    public void Send<TMessage>(PacketType<TMessage> type, TMessage message, ushort requestId = 0) =>
        Connection.SendPacket(message, requestId, type: type);

    /// <summary>Sends a request; the answer must be of the given kind.</summary>
    public async Task<TAnswer> AskAsync<TRequest, TAnswer>(PacketType<TRequest> type, TRequest message)
        where TAnswer : IMessage
    {
        ushort requestId = ++_lastRequestId;
        Send(type, message, requestId);
        return Assert.IsType<TAnswer>(await NextAsync(received => received.RequestId == requestId));
    }

    public Task<SErrorNtf> FailAsync<TRequest>(PacketType<TRequest> type, TRequest message) => AskAsync<TRequest, SErrorNtf>(type, message);

    /// <summary>The answer to a request that was sent with <see cref="Send"/>.</summary>
    public Task<IMessage> NextAnswerAsync(ushort requestId) => NextAsync(received => received.RequestId == requestId);

    /// <summary>The next notification of a kind; others keep their places.</summary>
    public async Task<TMessage> NextAsync<TMessage>()
        where TMessage : IMessage =>
        (TMessage)await NextAsync(static received => received.RequestId == 0 && received.Message is TMessage);

    /// <summary>The next notification of a kind that is as it says.</summary>
    public async Task<TMessage> NextAsync<TMessage>(Predicate<TMessage> match)
        where TMessage : IMessage =>
        (TMessage)await NextAsync(received => received.RequestId == 0 && received.Message is TMessage message && match(message));

    /// <summary>How many notifications of a kind have come before the one that was taken last, and were passed over.</summary>
    public int CountWaiting<TMessage>() => _passedOver.Count(static received => received.Message is TMessage);

    /// <summary>Everything that came until the connection ended.</summary>
    public async Task<List<IMessage>> ReadToEndAsync()
    {
        await Closed;
        while (await _received.Reader.WaitToReadAsync().AsTask().WaitAsync(TestTimeouts.Hang))
        {
            _passedOver.Add(await _received.Reader.ReadAsync());
        }

        return _passedOver.ConvertAll(static received => received.Message);
    }

    public async Task<SLoginRes> LoginAsync(string name, string? password = null)
    {
        SLoginRes answer = await AskAsync<CLoginReq, SLoginRes>(ChatPackets.CLoginReq, Login(name, password));
        PlayerId = answer.PlayerId;
        return answer;
    }

    public Task<SErrorNtf> FailLoginAsync(string name, string? password = null) => FailAsync(ChatPackets.CLoginReq, Login(name, password));

    public Task<SCreateRoomRes> CreateAsync(CCreateRoomReq room) =>
        AskAsync<CCreateRoomReq, SCreateRoomRes>(ChatPackets.CCreateRoomReq, room);

    public Task<SCreateRoomRes> CreateAsync(string name) =>
        AskAsync<CCreateRoomReq, SCreateRoomRes>(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = name });

    public Task<SJoinRoomRes> JoinAsync(long roomId) =>
        AskAsync<CJoinRoomReq, SJoinRoomRes>(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = roomId });

    public Task<SDirectChatRes> SayToAsync(TestClient player, string text) => AskAsync<CDirectChatReq, SDirectChatRes>(
        ChatPackets.CDirectChatReq, new CDirectChatReq { PlayerId = player.PlayerId, Text = text });

    public Task<SDirectChatRes> SayToAsync(CDirectChatReq message) =>
        AskAsync<CDirectChatReq, SDirectChatRes>(ChatPackets.CDirectChatReq, message);

    public Task<SListConversationsRes> ListConversationsAsync(CListConversationsReq? request = null) =>
        AskAsync<CListConversationsReq, SListConversationsRes>(
            ChatPackets.CListConversationsReq, request ?? new CListConversationsReq());

    public Task<SDirectHistoryRes> ReadDirectAsync(CDirectHistoryReq page) =>
        AskAsync<CDirectHistoryReq, SDirectHistoryRes>(ChatPackets.CDirectHistoryReq, page);

    public Task<SBlockPlayerRes> BlockAsync(CBlockPlayerReq request) =>
        AskAsync<CBlockPlayerReq, SBlockPlayerRes>(ChatPackets.CBlockPlayerReq, request);

    /// <returns>False for PLAYER_NOT_CONNECTED.</returns>
    public async Task<bool> TrySayToAsync(long playerId, string text)
    {
        ushort requestId = ++_lastRequestId;
        Send(ChatPackets.CDirectChatReq, new CDirectChatReq { PlayerId = playerId, Text = text }, requestId);
        IMessage answer = await NextAnswerAsync(requestId);
        return answer is SDirectChatRes || (answer is SErrorNtf { Code: ErrorCode.PlayerNotConnected }
            ? false
            : throw new InvalidOperationException($"{answer}"));
    }

    public async Task<ErrorCode> FailToSayToAsync(long playerId, string text) =>
        (await FailAsync(ChatPackets.CDirectChatReq, new CDirectChatReq { PlayerId = playerId, Text = text })).Code;

    public Task<SLeaveRoomAck> LeaveAsync(long roomId) =>
        AskAsync<CLeaveRoomReq, SLeaveRoomAck>(ChatPackets.CLeaveRoomReq, new CLeaveRoomReq { RoomId = roomId });

    /// <summary>Gives a message another text; an empty one deletes it.</summary>
    public Task<SEditMessageRes> EditAsync(long roomId, long sequence, string text) => AskAsync<CEditMessageReq, SEditMessageRes>(
        ChatPackets.CEditMessageReq, new CEditMessageReq { RoomId = roomId, Sequence = sequence, Text = text });

    public async Task<(ErrorCode Code, string Message)> FailToEditAsync(long roomId, long sequence, string text)
    {
        SErrorNtf error = await FailAsync(
            ChatPackets.CEditMessageReq, new CEditMessageReq { RoomId = roomId, Sequence = sequence, Text = text });
        return (error.Code, error.Message);
    }

    public Task<SModerateRes> ModerateAsync(CModerateReq request) =>
        AskAsync<CModerateReq, SModerateRes>(ChatPackets.CModerateReq, request);

    public Task<SReactRes> ReactAsync(long roomId, long sequence, string emoji, bool remove = false) =>
        AskAsync<CReactReq, SReactRes>(
            ChatPackets.CReactReq, new CReactReq { RoomId = roomId, Sequence = sequence, Emoji = emoji, Remove = remove });

    public Task<SSearchRes> SearchAsync(CSearchReq request) => AskAsync<CSearchReq, SSearchRes>(ChatPackets.CSearchReq, request);

    /// <returns>False for FORBIDDEN.</returns>
    public async Task<bool> CanSayAsync(long roomId, string text)
    {
        ushort requestId = ++_lastRequestId;
        Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = text }, requestId);
        return await NextAnswerAsync(requestId) is SRoomChatRes;
    }

    public async Task<(ErrorCode Code, string Message)> FailToModerateAsync(CModerateReq request)
    {
        SErrorNtf error = await FailAsync(ChatPackets.CModerateReq, request);
        return (error.Code, error.Message);
    }

    public async Task<IReadOnlyList<SRoomChatNtf>> ReadHistoryAsync(long roomId) =>
        (await AskAsync<CRoomHistoryReq, SRoomHistoryRes>(ChatPackets.CRoomHistoryReq, new CRoomHistoryReq { RoomId = roomId })).Messages;

    /// <summary>What was said, with " | " between.</summary>
    public async Task<string> ReadTextsAsync(long roomId) =>
        string.Join(" | ", (await ReadHistoryAsync(roomId)).Select(static said => said.Text));

    public Task<SRoomChatRes> SayAsync(long roomId, string text, ulong clientMessageId = 0) => AskAsync<CRoomChatReq, SRoomChatRes>(
        ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = roomId, Text = text, ClientMessageId = clientMessageId });

    private static void Add<TMessage>(PacketType<TMessage> type)
        where TMessage : IMessage =>
        s_decoders[type.Id] = (in Frame frame) =>
        {
            Assert.True(type.TryDecode(in frame, out TMessage? message));
            return message;
        };

    private static CLoginReq Login(string name, string? password)
    {
        var request = new CLoginReq { Name = name, ClientVersion = "test/1" };
        if (password is not null)
        {
            request.Password = password;
        }

        return request;
    }

    private void Receive(Connection connection, Frame frame) =>
        _received.Writer.TryWrite((frame.Header.RequestId, s_decoders[frame.Header.PacketId](in frame)));

    private async Task<IMessage> NextAsync(Predicate<(ushort RequestId, IMessage Message)> match)
    {
        int index = _passedOver.FindIndex(match);
        if (index >= 0)
        {
            IMessage message = _passedOver[index].Message;
            _passedOver.RemoveAt(index);
            return message;
        }

        while (true)
        {
            (ushort RequestId, IMessage Message) received = await _received.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
            if (match(received))
            {
                return received.Message;
            }

            _passedOver.Add(received);
        }
    }
}
