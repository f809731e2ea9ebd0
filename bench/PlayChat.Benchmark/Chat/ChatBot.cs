namespace PlayChat.Benchmark.Chat;

/// <summary>One client of the load: logs in, enters its room, sends when the pacer says so, and checks all that it receives.</summary>
internal sealed class ChatBot(int index, FanoutLoad load, DeliveryChecker checker) : FanoutLink(index, load)
{
    private static readonly SpanAction<byte, ChatBot> s_write = static (destination, bot) => bot.Write(destination);

    private readonly Handshake _handshake = new();
    private Connection? _connection;
    private FrameScratch _scratch;
    private ChatText _writing;
    private int _writingBytes;

    public DeliveryChecker Checker { get; } = checker;

    public override DeliveryCounter Counter => Checker.Counter;

    // That of its room, which is known when the first player of the room has created it.
    private ref long RoomId => ref Load.Roster.RoomIds[Load.Roster.RoomOf(Index)];

    public async Task LoginAsync(Connection connection, string name, CancellationToken cancellationToken)
    {
        _connection = connection;
        SLoginRes answer = await _handshake.LoginAsync(connection, name, cancellationToken);
        Load.Roster.PlayerIds[Index] = answer.PlayerId;
    }

    public async Task CreateRoomAsync(string name, CancellationToken cancellationToken)
    {
        SCreateRoomRes answer = await _handshake.RequestAsync(
            _connection!, ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = name }, SCreateRoomRes.Parser, cancellationToken);
        RoomId = answer.RoomId;
    }

    public Task JoinRoomAsync(CancellationToken cancellationToken) => _handshake.RequestAsync(
        _connection!,
        ChatPackets.CJoinRoomReq,
        new CJoinRoomReq { RoomId = RoomId },
        SJoinRoomRes.Parser,
        cancellationToken);

    public void OnFrame(Connection connection, Frame frame)
    {
        switch ((PacketId)frame.Header.PacketId)
        {
            case PacketId.SRoomChatNtf when Load.Window is { } window:
                Checker.OnChat(_scratch.Read(frame), Load.Clock.Nanoseconds, window);
                break;
            case PacketId.SRoomChatNtf:
                Load.Faults.Add("A message came before any was sent.");
                break;
            case PacketId.SJoinRoomNtf:
                SJoinRoomNtf join = SJoinRoomNtf.Parser.ParseFrom(frame.Body);
                Checker.OnOtherJoined(join.RoomId, join.Sequence, join.PreviousSequence);
                break;
            default:
                OnOther(connection, frame);
                break;
        }
    }

    public void OnClosed(CloseReason reason)
    {
        _handshake.OnClosed(reason);
        Load.Faults.Add($"A connection ended early: {reason}.");
    }

    protected override bool TrySend(ChatText text, int textBytes)
    {
        _writing = text;
        _writingBytes = textBytes;
        return _connection!.Send(
            new FrameHeader(ChatPackets.CRoomChatReq.Id), RoomChatRequest.GetBodyBytes(RoomId, textBytes), this, s_write);
    }

    // The room's messages follow the answer at once, so the checker knows it before anything behind it is handled.
    private void OnOther(Connection connection, Frame frame)
    {
        switch ((PacketId)frame.Header.PacketId)
        {
            case PacketId.SCreateRoomRes:
                SCreateRoomRes created = SCreateRoomRes.Parser.ParseFrom(frame.Body);
                Checker.OnJoined(created.RoomId, created.LatestSequence);
                break;
            case PacketId.SJoinRoomRes:
                SJoinRoomRes joined = SJoinRoomRes.Parser.ParseFrom(frame.Body);
                Checker.OnJoined(joined.RoomId, joined.LatestSequence);
                break;
        }

        _handshake.OnOther(connection, frame, Load.Faults);
    }

    private void Write(Span<byte> destination) =>
        Load.Texts.Write(RoomChatRequest.WriteHead(destination, RoomId, _writingBytes), _writing);
}
