using PlayChat.Core.Rooms;

namespace PlayChat.Protocol;

public sealed partial class CReadMarkNtf : IRoomMessage;
