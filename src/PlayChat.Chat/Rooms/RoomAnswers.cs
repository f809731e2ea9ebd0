using System.Diagnostics.CodeAnalysis;

namespace PlayChat.Chat.Rooms;

/// <summary>Answers to requests that a room decides.</summary>
internal static class RoomAnswers
{
    /// <summary>Finds a room of this server, or answers ROOM_NOT_FOUND.</summary>
    public static bool TryFindRoom(
        this in PacketContext context, PlayChatServer server, long roomId, [NotNullWhen(true)] out ChatRoom? room)
    {
        room = server.Rooms.Find(roomId) as ChatRoom;
        if (room is null)
        {
            context.FailNoSuchRoom(roomId);
        }

        return room is not null;
    }

    /// <summary>Answers a join that the room has refused, for a reason of <see cref="ChatRoom"/> or with a sentence.</summary>
    public static void FailEntry(this in PacketContext context, long roomId, int capacity, string why)
    {
        switch (why)
        {
            case ChatRoom.Full:
                context.FailRoomFull(roomId, capacity);
                break;
            case ChatRoom.Locked:
                context.Fail(
                    ErrorCode.RoomLocked, "This room is locked: only its members enter. Ask one of its moderators to unlock it.");
                break;
            case ChatRoom.PasswordNeeded:
                context.Fail(ErrorCode.RoomPasswordRequired, "The password of this room was changed just now. Join again.");
                break;
            default:
                context.Fail(ErrorCode.Forbidden, why);
                break;
        }
    }

    /// <summary>Waits until what a room was asked for counts. If it does not, or the room has ended, that is answered.</summary>
    /// <returns>What the room has done; <see langword="null"/> when that has been answered.</returns>
    public static async ValueTask<RoomOutcome?> WaitUntilDoneAsync(this PacketContext context, long roomId, RoomOutcome? outcome)
    {
        if (outcome is not { } told)
        {
            context.FailNoSuchRoom(roomId);
        }
        else if (told.Code != ErrorCode.None)
        {
            context.Fail(told.Code, told.Message, told.RetryAfter);
        }
        else if (told.Done is { } done && !await done)
        {
            context.FailUnavailable();
        }
        else
        {
            return told;
        }

        return null;
    }
}
