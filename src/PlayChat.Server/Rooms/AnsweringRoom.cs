using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Replies;

namespace PlayChat.Server.Rooms;

/// <summary>A room that answers requests. The members are for the room's turn alone.</summary>
/// <remarks>A turn encodes its packets in place and sends them together.</remarks>
internal abstract class AnsweringRoom(RoomContext context) : Room(context)
{
    private readonly SRoomChatRes _answer = new(); // refilled and encoded at once for each answer, so one is enough

    /// <summary>
    /// Serves a request. A fault is answered here, because only this frame knows the request; the room's turn then logs and counts it.
    /// </summary>
    protected static void Serve<TRoom, TArgument>(
        TRoom room, RoomRequest request, TArgument argument, Action<TRoom, RoomRequest, TArgument> job)
        where TRoom : AnsweringRoom
    {
        try
        {
            job(room, request, argument);
        }
        catch (Exception) when (!request.IsAnswered)
        {
            room.Fail(request, ErrorCode.Internal, Answers.Internal);
            throw;
        }
    }

    /// <summary>Sends a packet to every member.</summary>
    /// <returns>The length of its body in bytes.</returns>
    protected int Broadcast<TMessage>(PacketType<TMessage> type, TMessage message)
    {
        int bodyBytes = type.GetBodyBytes(message);
        if (MemberCount > 0)
        {
            Broadcast(
                type.Header(), bodyBytes, (type, message), static (destination, packet) => packet.type.Encode(packet.message, destination));
        }

        return bodyBytes;
    }

    /// <summary>
    /// Answers a request, unless its sender wants no answer or has one (an error that was sent while the request waited).
    /// </summary>
    protected void Answer<TMessage>(RoomRequest request, PacketType<TMessage> type, TMessage message)
    {
        if (request is { RequestId: not 0, IsAnswered: false })
        {
            Send(request, type, message);
        }
    }

    /// <summary>Answers a chat message.</summary>
    protected void AnswerSaid(RoomRequest request, CRoomChatReq said, long sequence, bool isDuplicate)
    {
        SRoomChatRes answer = _answer;
        answer.RoomId = Id;
        answer.Sequence = sequence;
        answer.ClientMessageId = said.ClientMessageId;
        answer.Duplicate = isDuplicate;
        Answer(request, ChatPackets.SRoomChatRes, answer);
    }

    /// <summary>Sends an error, which even a request without an id gets.</summary>
    protected void Fail(RoomRequest request, ErrorCode code, string message) =>
        Send(request, ChatPackets.SErrorNtf, Answers.Error(request.PacketId, code, message));

    protected void FailNotMember(RoomRequest request)
    {
        if (IsRemoved)
        {
            Fail(request, ErrorCode.RoomNotFound, Answers.NoSuchRoom(Id));
        }
        else
        {
            Fail(request, ErrorCode.NotInRoom, Answers.NotInRoom(Id));
        }
    }

    private void Send<TMessage>(RoomRequest request, PacketType<TMessage> type, TMessage message)
    {
        SendPacket(request.Session, type, message, request.RequestId);
        request.IsAnswered = true;
    }
}
