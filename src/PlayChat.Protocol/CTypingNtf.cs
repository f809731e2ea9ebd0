using PlayChat.Core.Rooms;

namespace PlayChat.Protocol;

public sealed partial class CTypingNtf : IRoomMessage;
