using PlayChat.Chat.Accounts;
using PlayChat.Chat.Places;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Sessions;

namespace PlayChat.Chat.Handlers;

/// <summary>C_CREATE_ROOM_REQ: makes a room and lets its creator in.</summary>
internal sealed class CreateRoomHandler(IPlaces places, PlayerLimits limits, RoomPasswords passwords, ShutdownState shutdown)
    : IPacketHandler<CCreateRoomReq>
{
    public async ValueTask HandleAsync(PacketContext context, CCreateRoomReq message, CancellationToken cancellationToken)
    {
        if (!ChatRules.IsRoomName(message.Name))
        {
            context.Fail(
                ErrorCode.RoomNameInvalid,
                $"A room name has 1 to {ChatLimits.MaxRoomNameChars} characters that can be seen. Choose another.");
        }
        else if (!ChatRules.IsRoomType(message.Type) || !ChatRules.AreRoomProperties(message.Properties))
        {
            context.FailRoomKind();
        }
        else if (shutdown.IsStopping)
        {
            context.FailStopping(places);
        }
        else if (limits.TryTakeRoom(context) && passwords.TryCheck(context, message.Capacity, message.Password))
        {
            string? hash = null;
            if (message.Password.Length > 0 && (hash = await passwords.HashAsync(context, message.Password, cancellationToken)) is null)
            {
                return;
            }

            var kind = new RoomKind(
                message.Type,
                message.Properties.ToDictionary(StringComparer.Ordinal),
                IsPrivate: message.Private,
                Capacity: message.Capacity,
                PasswordHash: hash);
            await places.CreateAsync(context, message.Name, kind, cancellationToken);
        }
    }
}
