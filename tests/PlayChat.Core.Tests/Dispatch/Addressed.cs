using PlayChat.Core.Rooms;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>A message that names its room.</summary>
internal sealed record Addressed(long RoomId) : IRoomMessage;
