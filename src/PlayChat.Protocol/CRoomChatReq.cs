using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;

namespace PlayChat.Protocol;

public sealed partial class CRoomChatReq : IRoomMessage, ITracedMessage;
