using PlayChat.Core.Rooms;

namespace PlayChat.Protocol;

// The packets that a member sends to a room name the room.

public sealed partial class CRoomChatReq : IRoomMessage;

public sealed partial class CLeaveRoomReq : IRoomMessage;
