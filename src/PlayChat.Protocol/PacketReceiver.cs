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
/// it is awaited: the next frame builds on it, and an answer whose request was given up changes the state all the same.
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
        // A packet that is not known is of a newer server, and is ignored.
        if (ChatPackets.All.Find(frame.Header.PacketId) is not { } packet || Decode(connection, packet, in frame) is not { } message)
        {
            return;
        }

        switch (message)
        {
            case SRoomChatNtf or SJoinRoomNtf or SMessageEditedNtf or SReactionNtf:
                See(message);
                break;

            case SRoomLeftNtf left:
                rooms.Leave(left.RoomId);
                events.Raise(left);
                break;

            case SInvitedNtf invited:
                events.Raise(invited);
                break;

            case SReportNtf report:
                events.Raise(report);
                break;

            case SRoomEnteredNtf entered:
                events.Raise(entered);
                break;

            case STypingNtf typing:
                events.Raise(typing);
                break;

            case SRoomStateNtf state:
                rooms.SeeState(state);
                break;

            case SDirectChatNtf direct:
                events.Raise(new DirectChatReceivedEventArgs(direct));
                break;

            case SDirectSentNtf sent:
                events.Raise(sent);
                break;

            case SErrorNtf error:
                OnError(connection, frame.Header.RequestId, error);
                break;

            case SNoticeNtf notice:
                events.Raise(new ServerNoticeEventArgs(ErrorCode.None, notice.Message, PacketId.SNoticeNtf));
                break;

            case SHeartbeatNtf:
                SendHeartbeat(connection);
                break;

            default:
                TakeAnswer(message);
                Complete(connection, in frame, message);
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
    public object? Decode(Connection connection, PacketType packet, in Frame frame)
    {
        if (packet.Decode(in frame) is { } message)
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

    private void Complete(Connection connection, in Frame frame, object answer)
    {
        // Not found: the request was given up meanwhile.
        if (pending.TryGet(frame.Header.RequestId, out PendingRequest? request) && !request.TryComplete(answer))
        {
            ChatClientLog.WrongAnswer(logger, frame.Header.RequestId, ((PacketId)frame.Header.PacketId).ToString());
            connection.Close(CloseReason.ProtocolViolation);
        }
    }

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

    private void TakeAnswer(object answer)
    {
        switch (answer)
        {
            case SLoginRes loggedIn:
                login.LoggedIn(loggedIn);
                requests.UseServer(loggedIn.Server);
                if (!loggedIn.ResumeToken.IsEmpty)
                {
                    probe.Start(); // without resume, noticing a dead link early gains nothing
                }

                break;

            case SCreateRoomRes created:
                rooms.Enter(created.RoomId, created.Name, created.Members, created.LatestSequence, created.Epoch);
                break;

            case SJoinRoomRes joined:
                rooms.Enter(joined.RoomId, joined.Name, joined.Members, joined.LatestSequence, joined.Epoch);
                break;

            case SLeaveRoomAck left:
                rooms.Leave(left.RoomId);
                break;
        }
    }
}
