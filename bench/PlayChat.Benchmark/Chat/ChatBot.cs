namespace PlayChat.Benchmark.Chat;

/// <summary>One client of the load: logs in, enters its room, sends when the pacer says so, and checks all that it receives.</summary>
internal sealed class ChatBot(int index, FanoutLoad load, DeliveryChecker checker) : FanoutLink(index, load)
{
    private static readonly SpanAction<byte, ChatBot> s_write = static (destination, bot) => bot.Write(destination);

    private readonly Handshake _handshake = new();
    private Connection? _connection;
    private byte[]? _scratch;
    private ChatText _writing;
    private int _writingBytes;

    /// <summary>What it has received.</summary>
    public DeliveryChecker Checker { get; } = checker;

    public override DeliveryCounter Counter => Checker.Counter;

    private int Room => Load.Roster.RoomOf(Index);

    /// <summary>Logs in.</summary>
    /// <exception cref="RunFailedException">The server refused.</exception>
    public async Task<ServerInfo?> LoginAsync(Connection connection, string name, CancellationToken cancellationToken)
    {
        _connection = connection;
        SLoginRes answer = await _handshake.LoginAsync(connection, name, cancellationToken);
        Load.Roster.SetPlayerId(Index, answer.PlayerId);
        return answer.Server;
    }

    /// <summary>Creates its room, and is in it.</summary>
    public async Task CreateRoomAsync(string name, CancellationToken cancellationToken)
    {
        SCreateRoomRes answer = await _handshake.RequestAsync(
            _connection!, ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = name }, SCreateRoomRes.Parser, cancellationToken);
        Load.Roster.SetRoomId(Room, answer.RoomId);
    }

    /// <summary>Enters its room, which another has created.</summary>
    public Task JoinRoomAsync(CancellationToken cancellationToken) => _handshake.RequestAsync(
        _connection!,
        ChatPackets.CJoinRoomReq,
        new CJoinRoomReq { RoomId = Load.Roster.GetRoomId(Room) },
        SJoinRoomRes.Parser,
        cancellationToken);

    /// <summary>Handles a frame, on the connection's receive loop.</summary>
    public void OnFrame(Connection connection, Frame frame)
    {
        switch ((PacketId)frame.Header.PacketId)
        {
            case PacketId.SRoomChatNtf:
                OnChat(frame);
                break;
            case PacketId.SJoinRoomNtf:
                SJoinRoomNtf join = SJoinRoomNtf.Parser.ParseFrom(frame.Body);
                Checker.OnOtherJoined(join.RoomId, join.Sequence, join.PreviousSequence);
                break;
            case PacketId.SHeartbeatNtf:
                connection.Send([], new FrameHeader(ChatPackets.CHeartbeatNtf.Id));
                break;
            case PacketId.SCloseNtf:
                _handshake.OnCloseNotice(frame); // the connection's end follows, and is counted
                break;
            case var _ when frame.Header.RequestId == Handshake.RequestId:
                OnAnswer(frame);
                break;
            case PacketId.SErrorNtf:
                Load.Faults.Add($"The server refused a message: {SErrorNtf.Parser.ParseFrom(frame.Body).Message}");
                break;
            default:
                Load.Faults.Add($"A packet came that was not expected: {frame.Header.PacketId}.");
                break;
        }
    }

    /// <summary>Called once when the connection has ended.</summary>
    public void OnClosed(CloseReason reason)
    {
        _handshake.OnClosed(reason);
        Load.Faults.Add($"A connection ended early: {reason}.");
    }

    protected override bool TrySend(ChatText text, int textBytes)
    {
        _writing = text;
        _writingBytes = textBytes;
        int bodyBytes = RoomChatRequest.GetBodyBytes(Load.Roster.GetRoomId(Room), textBytes);
        return _connection!.Send(new FrameHeader(ChatPackets.CRoomChatReq.Id), bodyBytes, this, s_write);
    }

    // Before anything behind it is handled: the room's messages follow the answer at once.
    private void OnAnswer(Frame frame)
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

        _handshake.OnAnswer(frame);
    }

    private void OnChat(Frame frame)
    {
        MeasureWindow? window = Load.Window;
        if (window is null)
        {
            Load.Faults.Add("A message came before any was sent.");
            return;
        }

        if (!frame.TryGetSpan(out ReadOnlySpan<byte> body))
        {
            // Across a seam of the receive buffer, which is rare.
            if (_scratch is null || _scratch.Length < frame.BodyBytes)
            {
                _scratch = new byte[Math.Max(frame.BodyBytes, 2 * ChatLimits.MaxTextBytes)];
            }

            frame.CopyTo(_scratch);
            body = _scratch.AsSpan(0, frame.BodyBytes);
        }

        Checker.OnChat(body, Load.Clock.Nanoseconds, window);
    }

    private void Write(Span<byte> destination) =>
        Load.Texts.Write(RoomChatRequest.WriteHead(destination, Load.Roster.GetRoomId(Room), _writingBytes), _writing);
}
