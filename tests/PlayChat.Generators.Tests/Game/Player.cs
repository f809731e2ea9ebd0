using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Generators.Tests.Game;

internal sealed class Player(Session session) : RoomMember(session);
