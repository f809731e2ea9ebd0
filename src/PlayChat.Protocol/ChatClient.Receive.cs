using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Protocol;

// What comes from the server. Everything here runs on the connection's receive loop, one frame after the other.
public sealed partial class ChatClient
{
    private static readonly CHeartbeatNtf s_heartbeat = new();

    private readonly TaskCompletionSource<ChatDisconnectedEventArgs> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private SLoginRes? _login;

    /// <summary>Somebody, the client itself included, or the server said something in a room. See the remarks of <see cref="ChatClient"/> for where it runs.</summary>
    public event EventHandler<ChatReceivedEventArgs>? ChatReceived;

    /// <summary>Another player has joined a room of the client's. Who leaves is told by <see cref="ChatReceived"/>, with <see cref="SRoomChatNtf.Left"/>.</summary>
    public event EventHandler<MemberJoinedEventArgs>? MemberJoined;

    /// <summary>A message that nobody waits for, such as one from <see cref="SendChat"/>, was refused.</summary>
    public event EventHandler<ServerNoticeEventArgs>? ServerNotice;

    /// <summary>The session has ended, from whichever side: the last event, raised once. Requests have failed by then.</summary>
    public event EventHandler<ChatDisconnectedEventArgs>? Disconnected;

    internal void OnFrame(ChatLink link, Connection connection, in Frame frame)
    {
        if (_link != link)
        {
            return; // given up
        }

        _heard = true;
        switch ((PacketId)frame.PacketId)
        {
            case PacketId.SRoomChatNtf when Decode(connection, ChatPackets.SRoomChatNtf, in frame) is { } chat:
                Raise(ChatReceived, new ChatReceivedEventArgs(chat, _rooms.SeeChat(chat)), nameof(ChatReceived));
                break;

            case PacketId.SJoinRoomNtf when Decode(connection, ChatPackets.SJoinRoomNtf, in frame) is { } joined:
                Raise(MemberJoined, new MemberJoinedEventArgs(joined, _rooms.SeeJoin(joined)), nameof(MemberJoined));
                break;

            case PacketId.SRoomStateNtf when Decode(connection, ChatPackets.SRoomStateNtf, in frame) is { } state:
                _rooms.SeeState(state);
                break;

            case PacketId.SErrorNtf when Decode(connection, ChatPackets.SErrorNtf, in frame) is { } error:
                OnError(frame.RequestId, error);
                break;

            case PacketId.SCloseNtf:
                link.Farewell = Decode(connection, ChatPackets.SCloseNtf, in frame);
                break;

            case PacketId.SHeartbeatNtf:
                connection.Send(ChatPackets.CHeartbeatNtf, s_heartbeat);
                break;

            default:
                // What no case knows is of a newer server, and is none of our business.
                if (DecodeAnswer(link, connection, in frame) is { } answer)
                {
                    OnAnswer(connection, in frame, answer);
                }

                break;
        }
    }

    internal void OnClosed(ChatLink link, CloseReason reason)
    {
        if (link.Farewell is { Reason: not CloseCode.None } farewell && Enum.IsDefined((CloseReason)(int)farewell.Reason))
        {
            reason = (CloseReason)(int)farewell.Reason;
        }

        string? words = string.IsNullOrEmpty(link.Farewell?.Message) ? null : link.Farewell.Message;
        ChatClientLog.Disconnected(_logger, reason);
        bool wasReady;
        bool mayResume = _options.Reconnect && !_resumeToken.IsEmpty && IsBreak(reason) && !_disposing.IsCancellationRequested;
        lock (_linkGate)
        {
            if (_link != link)
            {
                return; // given up before
            }

            wasReady = _isReady;
            _isReady = false;
        }

        if (!wasReady)
        {
            _pending.FailResume(new ChatConnectionClosedException(reason, words)); // one attempt; the next may follow
        }
        else if (mayResume)
        {
            OnBroken(reason, words);
        }
        else
        {
            End(reason, words);
        }
    }

    private void End(CloseReason reason, string? words)
    {
        _keepAlive?.Dispose();
        _pending.Close(() => new ChatConnectionClosedException(reason, words));
        var ended = new ChatDisconnectedEventArgs(reason, words);
        Raise(Disconnected, ended, nameof(Disconnected));
        _closed.SetResult(ended);
    }

    private object? DecodeAnswer(ChatLink link, Connection connection, in Frame frame) => (PacketId)frame.PacketId switch
    {
        PacketId.SLoginRes => OnLogin(Decode(connection, ChatPackets.SLoginRes, in frame)),
        PacketId.SResumeRes => OnResumed(link, connection, frame.RequestId, Decode(connection, ChatPackets.SResumeRes, in frame)),
        PacketId.SCreateRoomRes => OnCreated(Decode(connection, ChatPackets.SCreateRoomRes, in frame)),
        PacketId.SJoinRoomRes => OnJoined(Decode(connection, ChatPackets.SJoinRoomRes, in frame)),
        PacketId.SLeaveRoomAck => OnLeft(Decode(connection, ChatPackets.SLeaveRoomAck, in frame)),
        PacketId.SRoomChatRes => Decode(connection, ChatPackets.SRoomChatRes, in frame),
        PacketId.SListRoomsRes => Decode(connection, ChatPackets.SListRoomsRes, in frame),
        PacketId.SRoomHistoryRes => Decode(connection, ChatPackets.SRoomHistoryRes, in frame),
        PacketId.SEchoRes => Decode(connection, ChatPackets.SEchoRes, in frame),
        _ => null,
    };

    private void OnAnswer(Connection connection, in Frame frame, object answer)
    {
        // Nobody waits when the request was given up meanwhile.
        if (_pending.TryGet(frame.RequestId, out PendingRequest? request) && !request.TryComplete(answer))
        {
            ChatClientLog.WrongAnswer(_logger, frame.RequestId, ((PacketId)frame.PacketId).ToString());
            connection.Close(CloseReason.ProtocolViolation);
        }
    }

    private void OnError(ushort requestId, SErrorNtf error)
    {
        if (requestId == 0)
        {
            Raise(ServerNotice, new ServerNoticeEventArgs(error.Code, error.Message, (PacketId)error.PacketId), nameof(ServerNotice));
        }
        else if (_pending.TryGet(requestId, out PendingRequest? request))
        {
            request.Fail(new ChatErrorException(error.Code, error.Message, TimeSpan.FromMilliseconds(error.RetryAfterMs)));
        }
    }

    // What the answers change is changed here and not where they are awaited: the next frame builds on it, and an answer that
    // nobody waits for any more changes it all the same.
    private SLoginRes? OnLogin(SLoginRes? answer)
    {
        if (answer is not null)
        {
            Volatile.Write(ref _login, answer);
            UseServer(answer.Server);
            _resumeToken = answer.ResumeToken;
            StartKeepAlive();
        }

        return answer;
    }

    private void UseServer(ServerInfo? server)
    {
        if (server is { MaxFrameBytes: >= 4 and <= ChatLimits.MaxServerFrameBytes })
        {
            Volatile.Write(ref _maxBodyBytes, MaxBodyBytes((int)server.MaxFrameBytes));
        }
    }

    private SCreateRoomRes? OnCreated(SCreateRoomRes? answer)
    {
        if (answer is not null)
        {
            _rooms.Enter(answer.RoomId, answer.Name, answer.Members, answer.LatestSequence);
        }

        return answer;
    }

    private SJoinRoomRes? OnJoined(SJoinRoomRes? answer)
    {
        if (answer is not null)
        {
            _rooms.Enter(answer.RoomId, answer.Name, answer.Members, answer.LatestSequence);
        }

        return answer;
    }

    private SLeaveRoomAck? OnLeft(SLeaveRoomAck? answer)
    {
        if (answer is not null)
        {
            _rooms.Leave(answer.RoomId);
        }

        return answer;
    }

    /// <returns>Null when the server sent something else under this packet id; the connection then closes.</returns>
    private TMessage? Decode<TMessage>(Connection connection, PacketType<TMessage> packet, in Frame frame)
        where TMessage : class
    {
        if (packet.TryDecode(in frame, out TMessage? message))
        {
            return message;
        }

        ChatClientLog.MalformedPacket(_logger, packet.Name);
        connection.Close(CloseReason.ProtocolViolation);
        return null;
    }

    private void Raise<TArgs>(EventHandler<TArgs>? handlers, TArgs args, string eventName)
    {
        try
        {
            handlers?.Invoke(this, args);
        }
        catch (Exception e)
        {
            // The application's code: whatever it threw must not end the receive loop.
            ChatClientLog.HandlerFailed(_logger, eventName, e);
        }
    }
}
