using Microsoft.Extensions.Logging;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Protocol;

/// <summary>
/// Takes the packets of the server: answers complete their requests, everything else becomes an event or an answer of the client's own.
/// </summary>
/// <remarks>
/// Runs on the receive loop of the current connection, one frame after the other. An answer changes the client's state here and not where
/// it is awaited:
/// the next frame builds on it, and an answer whose request was given up changes the state all the same.
/// </remarks>
internal sealed class PacketReceiver(
    PendingRequests pending,
    RoomTracker rooms,
    RequestSender requests,
    LoginState login,
    SilenceProbe probe,
    ChatEvents events,
    Func<Connection, string, bool> moveTo,
    ILogger logger)
{
    // Of the rooms that the client enters again; so many come in the moment between the answers to its joins and the end of it.
    private const int MaxHeld = 10_000;

    private static readonly CHeartbeatNtf s_heartbeat = new();

    private volatile List<object>? _held; // what rooms say, while it is held back

    public static void SendHeartbeat(Connection connection) => connection.SendPacket(s_heartbeat, type: ChatPackets.CHeartbeatNtf);

    public void OnFrame(Connection connection, in Frame frame)
    {
        switch ((PacketId)frame.Header.PacketId)
        {
            case PacketId.SRoomChatNtf when Decode(connection, ChatPackets.SRoomChatNtf, in frame) is { } chat:
                See(chat);
                break;

            case PacketId.SJoinRoomNtf when Decode(connection, ChatPackets.SJoinRoomNtf, in frame) is { } joined:
                See(joined);
                break;

            case PacketId.SMessageEditedNtf when Decode(connection, ChatPackets.SMessageEditedNtf, in frame) is { } edited:
                See(edited);
                break;

            case PacketId.SReactionNtf when Decode(connection, ChatPackets.SReactionNtf, in frame) is { } reaction:
                See(reaction);
                break;

            case PacketId.SRoomLeftNtf when Decode(connection, ChatPackets.SRoomLeftNtf, in frame) is { } left:
                rooms.Leave(left.RoomId);
                events.Raise(left);
                break;

            case PacketId.SInvitedNtf when Decode(connection, ChatPackets.SInvitedNtf, in frame) is { } invited:
                events.Raise(invited);
                break;

            case PacketId.SReportNtf when Decode(connection, ChatPackets.SReportNtf, in frame) is { } report:
                events.Raise(report);
                break;

            case PacketId.SRoomEnteredNtf when Decode(connection, ChatPackets.SRoomEnteredNtf, in frame) is { } entered:
                events.Raise(entered);
                break;

            case PacketId.STypingNtf when Decode(connection, ChatPackets.STypingNtf, in frame) is { } typing:
                events.Raise(typing);
                break;

            case PacketId.SRoomStateNtf when Decode(connection, ChatPackets.SRoomStateNtf, in frame) is { } state:
                rooms.SeeState(state);
                break;

            case PacketId.SDirectChatNtf when Decode(connection, ChatPackets.SDirectChatNtf, in frame) is { } direct:
                events.Raise(new DirectChatReceivedEventArgs(direct));
                break;

            case PacketId.SDirectSentNtf when Decode(connection, ChatPackets.SDirectSentNtf, in frame) is { } sent:
                events.Raise(sent);
                break;

            case PacketId.SErrorNtf when Decode(connection, ChatPackets.SErrorNtf, in frame) is { } error:
                OnError(connection, frame.Header.RequestId, error);
                break;

            case PacketId.SNoticeNtf when Decode(connection, ChatPackets.SNoticeNtf, in frame) is { } notice:
                events.Raise(new ServerNoticeEventArgs(ErrorCode.None, notice.Message, PacketId.SNoticeNtf));
                break;

            case PacketId.SHeartbeatNtf:
                SendHeartbeat(connection);
                break;

            default:
                // A packet without a case is of a newer server, and is ignored.
                if (DecodeAnswer(connection, in frame) is { } answer)
                {
                    Complete(connection, in frame, answer);
                }

                break;
        }
    }

    /// <summary>
    /// Holds back what rooms say from now on, and forgets what was held before. Called before the client enters the rooms.
    /// </summary>
    public void HoldRooms() => _held = [];

    /// <summary>Raises what was held back, in its order. On the receive loop.</summary>
    public void ReleaseRooms()
    {
        List<object> held = _held ?? [];
        _held = null;
        held.ForEach(See);
    }

    /// <returns>Null when the server sent something else under this packet id; the connection then closes.</returns>
    public TMessage? Decode<TMessage>(Connection connection, PacketType<TMessage> packet, in Frame frame)
        where TMessage : class
    {
        if (packet.TryDecode(in frame, out TMessage? message))
        {
            return message;
        }

        ChatClientLog.MalformedPacket(logger, packet.Name);
        connection.Close(CloseReason.ProtocolViolation);
        return null;
    }

    private void See(object message)
    {
        if (_held is { } held)
        {
            if (held.Count < MaxHeld)
            {
                held.Add(message); // beyond that, previous_sequence of the next one tells that some are missing
            }
        }
        else if (message is SRoomChatNtf chat)
        {
            events.Raise(new ChatReceivedEventArgs(chat, rooms.SeeChat(chat)));
        }
        else if (message is SMessageEditedNtf edited)
        {
            events.Raise(edited, rooms.SeeEdit(edited));
        }
        else if (message is SReactionNtf reaction)
        {
            events.Raise(reaction, rooms.SeeReaction(reaction));
        }
        else if (message is SJoinRoomNtf joined)
        {
            long missed = rooms.SeeJoin(joined);
            if (joined.Member.PlayerId != login.Answer?.PlayerId) // the application has the answer to its own join
            {
                events.Raise(new MemberJoinedEventArgs(joined, missed)
                {
                    IsReturn = rooms.TakeReturn(joined.RoomId, joined.Member.PlayerId),
                });
            }
        }
    }

    /// <summary>Hands an answer to its request.</summary>
    private void Complete(Connection connection, in Frame frame, object answer)
    {
        // Not found: the request was given up meanwhile.
        if (pending.TryGet(frame.Header.RequestId, out PendingRequest? request) && !request.TryComplete(answer))
        {
            ChatClientLog.WrongAnswer(logger, frame.Header.RequestId, ((PacketId)frame.Header.PacketId).ToString());
            connection.Close(CloseReason.ProtocolViolation);
        }
    }

    private object? DecodeAnswer(Connection connection, in Frame frame) => (PacketId)frame.Header.PacketId switch
    {
        PacketId.SLoginRes => OnLogin(Decode(connection, ChatPackets.SLoginRes, in frame)),
        PacketId.SResumeRes => Decode(connection, ChatPackets.SResumeRes, in frame),
        PacketId.SCreateRoomRes => OnCreated(Decode(connection, ChatPackets.SCreateRoomRes, in frame)),
        PacketId.SJoinRoomRes => OnJoined(Decode(connection, ChatPackets.SJoinRoomRes, in frame)),
        PacketId.SLeaveRoomAck => OnLeft(Decode(connection, ChatPackets.SLeaveRoomAck, in frame)),
        PacketId.SRoomChatRes => Decode(connection, ChatPackets.SRoomChatRes, in frame),
        PacketId.SListRoomsRes => Decode(connection, ChatPackets.SListRoomsRes, in frame),
        PacketId.SRoomHistoryRes => Decode(connection, ChatPackets.SRoomHistoryRes, in frame),
        PacketId.SEditMessageRes => Decode(connection, ChatPackets.SEditMessageRes, in frame),
        PacketId.SModerateRes => Decode(connection, ChatPackets.SModerateRes, in frame),
        PacketId.SListMembersRes => Decode(connection, ChatPackets.SListMembersRes, in frame),
        PacketId.SReactRes => Decode(connection, ChatPackets.SReactRes, in frame),
        PacketId.SReportRes => Decode(connection, ChatPackets.SReportRes, in frame),
        PacketId.SListReportsRes => Decode(connection, ChatPackets.SListReportsRes, in frame),
        PacketId.SResolveReportRes => Decode(connection, ChatPackets.SResolveReportRes, in frame),
        PacketId.SSearchRes => Decode(connection, ChatPackets.SSearchRes, in frame),
        PacketId.SDirectChatRes => Decode(connection, ChatPackets.SDirectChatRes, in frame),
        PacketId.SListConversationsRes => Decode(connection, ChatPackets.SListConversationsRes, in frame),
        PacketId.SDirectHistoryRes => Decode(connection, ChatPackets.SDirectHistoryRes, in frame),
        PacketId.SBlockPlayerRes => Decode(connection, ChatPackets.SBlockPlayerRes, in frame),
        PacketId.SChangePasswordRes => Decode(connection, ChatPackets.SChangePasswordRes, in frame),
        PacketId.SListDevicesRes => Decode(connection, ChatPackets.SListDevicesRes, in frame),
        PacketId.SEndDeviceRes => Decode(connection, ChatPackets.SEndDeviceRes, in frame),
        PacketId.SEchoRes => Decode(connection, ChatPackets.SEchoRes, in frame),
        _ => null,
    };

    private void OnError(Connection connection, ushort requestId, SErrorNtf error)
    {
        if (requestId == 0)
        {
            events.Raise(new ServerNoticeEventArgs(error.Code, error.Message, (PacketId)error.PacketId));
        }
        else if (error.Code == ErrorCode.Redirect && pending.TryRedirect(requestId) && moveTo(connection, error.Endpoint))
        {
            // It is sent again there.
        }
        else if (pending.TryGet(requestId, out PendingRequest? request))
        {
            request.Fail(
                new ChatErrorException(error.Code, error.Message, TimeSpan.FromMilliseconds(error.RetryAfterMs), error.Endpoint));
        }
    }

    private SLoginRes? OnLogin(SLoginRes? answer)
    {
        if (answer is not null)
        {
            login.LoggedIn(answer);
            requests.UseServer(answer.Server);
            if (!answer.ResumeToken.IsEmpty)
            {
                probe.Start(); // without resume, noticing a dead link early gains nothing
            }
        }

        return answer;
    }

    private SCreateRoomRes? OnCreated(SCreateRoomRes? answer)
    {
        if (answer is not null)
        {
            rooms.Enter(answer.RoomId, answer.Name, answer.Members, answer.LatestSequence, answer.Epoch);
        }

        return answer;
    }

    private SJoinRoomRes? OnJoined(SJoinRoomRes? answer)
    {
        if (answer is not null)
        {
            rooms.Enter(answer.RoomId, answer.Name, answer.Members, answer.LatestSequence, answer.Epoch);
        }

        return answer;
    }

    private SLeaveRoomAck? OnLeft(SLeaveRoomAck? answer)
    {
        if (answer is not null)
        {
            rooms.Leave(answer.RoomId);
        }

        return answer;
    }
}
