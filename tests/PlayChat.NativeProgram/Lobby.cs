using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;

namespace PlayChat.NativeProgram;

/// <summary>A room that tells everybody what one says.</summary>
internal sealed class Lobby(RoomContext context) : Room(context)
{
    internal void Say(Session session, CRoomChatReq message)
    {
        _ = Enter(session);
        var told = new SRoomChatNtf { RoomId = Id, Text = message.Text };
        Broadcast(
            ChatPackets.SRoomChatNtf.Header(0), ChatPackets.SRoomChatNtf.GetBodyBytes(told), told, static (destination, ntf) => ChatPackets.SRoomChatNtf.Encode(ntf, destination));
    }
}
