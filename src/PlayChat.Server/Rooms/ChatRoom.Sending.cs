using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Handlers;

namespace PlayChat.Server.Rooms;

// How packets leave a turn: encoded in place, together with everything else of the turn.
internal sealed partial class ChatRoom
{
    /// <summary>Sends a packet to every member.</summary>
    /// <returns>How long its body is.</returns>
    private int Broadcast<TMessage>(PacketType<TMessage> type, TMessage message)
    {
        int bodyBytes = type.GetBodyBytes(message);
        if (MemberCount > 0)
        {
            Broadcast(type.Header(), bodyBytes, (type, message), static (destination, packet) => packet.type.Encode(packet.message, destination));
        }

        return bodyBytes;
    }

    private void Answer<TMessage>(RoomRequest request, PacketType<TMessage> type, TMessage message)
    {
        // One who has been told of a failure meanwhile has his answer.
        if (request is { RequestId: not 0, IsAnswered: false })
        {
            Send(request, type, message);
        }
    }

    private void AnswerSaid(RoomRequest request, CRoomChatReq said, long sequence, bool isDuplicate)
    {
        SRoomChatRes answer = _answer;
        answer.RoomId = Id;
        answer.Sequence = sequence;
        answer.ClientMessageId = said.ClientMessageId;
        answer.Duplicate = isDuplicate;
        Answer(request, ChatPackets.SRoomChatRes, answer);
    }

    private void Fail(RoomRequest request, ErrorCode code, string message) =>
        Send(request, ChatPackets.SErrorNtf, Answers.Error(request.PacketId, code, message));

    private void FailNotMember(RoomRequest request)
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

    private void FailInTooManyRooms(RoomRequest request) =>
        Fail(request, ErrorCode.ServerFull, $"You are in all the {_services.Settings.MaxPerPlayer} rooms that one player may be in. Leave one first.");

    private void Send<TMessage>(RoomRequest request, PacketType<TMessage> type, TMessage message)
    {
        SendPacket(request.Session, type, message, request.RequestId);
        request.IsAnswered = true;
    }

    private IEnumerable<Member> Shown => _members.Values.Select(static member => member.Shown);

    private SCreateRoomRes Fill(SCreateRoomRes answer)
    {
        answer.Members.AddRange(Shown);
        return answer;
    }

    private SJoinRoomRes Fill(SJoinRoomRes answer)
    {
        answer.Members.AddRange(Shown);
        return answer;
    }

    private SRoomStateNtf Fill(SRoomStateNtf state)
    {
        state.Members.AddRange(Shown);
        return state;
    }
}
