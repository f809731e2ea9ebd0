using PlayChat.Core.Packets;

namespace PlayChat.Chat.Replies;

/// <summary>Answers to requests. A request with id 0 gets none but an error.</summary>
internal static class Answers
{
    /// <summary>The message of <see cref="ErrorCode.Internal"/>.</summary>
    public const string Internal = "The server failed, and its log says why. Look whether it did what you asked for before you try again.";

    /// <summary>The message of <see cref="ErrorCode.NameUnknown"/>.</summary>
    public const string NoSuchPlayer = "There is no player of this name or number. Check its spelling.";

    /// <summary>The message of <see cref="ErrorCode.PlayerRefuses"/>.</summary>
    public const string Refuses = "This player takes no messages and invitations from you. Nothing was sent; choose another player.";

    private static readonly TimeSpan s_retryAfter = TimeSpan.FromSeconds(1);

    public static void Answer<TMessage>(this in PacketContext context, PacketType<TMessage> type, TMessage message)
    {
        if (context.RequestId != 0)
        {
            context.Reply(message, type);
        }
    }

    public static void Fail(this in PacketContext context, ErrorCode code, string message, TimeSpan retryAfter = default) =>
        context.Reply(Error(context.PacketId, code, message, retryAfter), ChatPackets.SErrorNtf);

    /// <summary>Answers RATE_LIMITED.</summary>
    public static void FailForNow(this in PacketContext context, TimeSpan wait) => context.Fail(
        ErrorCode.RateLimited, "You sent too many requests of this kind. Wait a moment, then send fewer.", wait);

    /// <summary>Does what needs the store for a room. If the store fails, that is logged and answered.</summary>
    /// <param name="context">The request.</param>
    /// <param name="roomId">The room.</param>
    /// <param name="what">What the store has, as the subject of a sentence in the plural.</param>
    /// <param name="logger">The handler's.</param>
    /// <param name="work">What is done; it answers.</param>
    public static async Task UseStoreAsync(this PacketContext context, long roomId, string what, ILogger logger, Func<Task> work)
    {
        try
        {
            await work();
        }
        catch (StorageException e)
        {
            ServerLog.HistoryStorageFailed(logger, roomId, context.Session.Id, e.Message);
            context.FailStorage($"{what} are in the server's database, which is unavailable. Try again later.");
        }
    }

    /// <summary>Answers STORAGE_UNAVAILABLE: nothing was done, and the client may try again in a second.</summary>
    public static void FailStorage(this in PacketContext context, string message) =>
        context.Fail(ErrorCode.StorageUnavailable, message, s_retryAfter);

    /// <summary>Answers STORAGE_UNAVAILABLE to a request about direct messages or blocked players, and logs why.</summary>
    public static void FailDirectStorage(this in PacketContext context, ILogger logger, Exception problem)
    {
        ServerLog.DirectStorageFailed(logger, context.PacketId, context.Session.Id, problem.Message);
        context.FailStorage(
            "The server's database is unavailable. Try again later, a message with the same client_message_id: then it is stored once.");
    }

    /// <summary>Answers UNAVAILABLE: nothing was done, and the client may try again in a second.</summary>
    public static void FailUnavailable(this in PacketContext context) =>
        context.Fail(ErrorCode.Unavailable, "The servers of the cluster cannot reach each other now. Try again later.", s_retryAfter);

    /// <summary>Answers UNAVAILABLE: it counts, and may not last.</summary>
    public static void FailUncertain(this in PacketContext context) => context.Fail(
        ErrorCode.Unavailable,
        "This counts now, but the server's database does not answer, so it may not last. Do it again later.",
        s_retryAfter);

    /// <summary>Answers UNAVAILABLE: a rule of the server's own failed, and nothing was done.</summary>
    public static void FailRule(this in PacketContext context) =>
        context.Fail(ErrorCode.Unavailable, "The server could not check this, so it did nothing. Try again in a moment.", s_retryAfter);

    /// <summary>Answers REDIRECT: nothing was done, and another server of the cluster, at HOST:PORT, takes the request.</summary>
    public static void FailRedirect(this in PacketContext context, string endPoint)
    {
        SErrorNtf error = Error(context.PacketId, ErrorCode.Redirect, $"Another server takes this request. Connect to {endPoint}.");
        error.Endpoint = endPoint;
        context.Reply(error, ChatPackets.SErrorNtf);
    }

    /// <summary>Answers MALFORMED_PACKET to a type or a property of a room that breaks a rule.</summary>
    public static void FailRoomKind(this in PacketContext context) =>
        context.Fail(
            ErrorCode.MalformedPacket,
            $"The room's type or a property is invalid. A type or a key has up to {ChatLimits.MaxRoomTypeChars} characters of a-z, 0-9, "
                + $"'-', '_' and '.'. A value has 1 to {ChatLimits.MaxRoomPropertyValueChars} visible characters. A room has up to "
                + $"{ChatLimits.MaxRoomProperties} properties.");

    public static void FailNoSuchRoom(this in PacketContext context, long roomId) =>
        context.Fail(ErrorCode.RoomNotFound, NoSuchRoom(roomId));

    public static void FailAlreadyInRoom(this in PacketContext context, long roomId) =>
        context.Fail(ErrorCode.AlreadyInRoom, $"You are in room {roomId} already. Leave it first, to join it again.");

    public static void FailRoomFull(this in PacketContext context, long roomId, int maxMembers) => context.Fail(
        ErrorCode.RoomFull, $"Room {roomId} is full ({maxMembers} members). Try again later, or join another room.");

    public static void FailServerFull(this in PacketContext context, int maxRooms) => context.Fail(
        ErrorCode.ServerFull,
        $"The server has reached its limit of {maxRooms} rooms. Join an existing room, or try again later.");

    /// <summary>Reads how long a page may be, where 0 asks for the most, or answers MALFORMED_PACKET.</summary>
    public static bool TryReadLimit(this in PacketContext context, uint asked, int most, out int limit)
    {
        limit = asked == 0 ? most : (int)Math.Min(asked, (uint)most);
        if (asked > most)
        {
            context.Fail(ErrorCode.MalformedPacket, $"limit is {asked}; allowed is 1 to {most}, or 0 for {most}. Correct the client.");
            return false;
        }

        return true;
    }

    /// <summary>Answers ROOM_NAME_TAKEN, and says which room has the name; 0 for one that is being made.</summary>
    public static void FailNameTaken(this in PacketContext context, string name, long other) => context.Fail(
        ErrorCode.RoomNameTaken,
        $"There is a room {name} already{(other == 0 ? "" : $": room {other}")}. Join it, or choose another name.");

    public static void FailCreatedTooMany(this in PacketContext context, int most, bool roomsLast) => context.Fail(
        ErrorCode.ServerFull,
        $"You have created {most} rooms "
            + (roomsLast ? "that were not removed. Remove one of them, or ask the operator to."
                : "that still have members. Wait until one is empty."));

    public static void FailInTooManyRooms(this in PacketContext context, int maxRooms) =>
        context.Fail(ErrorCode.ServerFull, $"You are in {maxRooms} rooms, the most that one player may be in. Leave one first.");

    public static string NoSuchRoom(long roomId) => $"There is no room {roomId}. List the rooms to see which there are.";

    public static string NotInRoom(long roomId) => $"You are not in room {roomId}. Join it first.";

    public static SErrorNtf Error(ushort packetId, ErrorCode code, string message, TimeSpan retryAfter = default) =>
        new() { Code = code, Message = message, PacketId = packetId, RetryAfterMs = (uint)Math.Ceiling(retryAfter.TotalMilliseconds) };
}
