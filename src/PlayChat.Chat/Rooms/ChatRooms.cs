using PlayChat.Chat.Accounts;
using PlayChat.Chat.Extensions;

namespace PlayChat.Chat.Rooms;

/// <inheritdoc cref="IChatRooms"/>
internal sealed class ChatRooms(PlayChatServer server, IChatStore store, ChatRoomServices rooms) : IChatRooms
{
    public async Task<ChatSayResult> SayAsync(
        long roomId, string player, string text, ulong messageId = 0, CancellationToken cancellationToken = default)
    {
        if (!ChatText.TryClean(text, out string clean))
        {
            return ChatSayResult.TextInvalid;
        }

        if (!PlayerName.TryGetKey(player, out _, out _))
        {
            return ChatSayResult.NameInvalid;
        }

        ChatRoom? room = server.Rooms.Find(roomId) as ChatRoom
            ?? (rooms.RoomsLast ? await rooms.Archive.WakeAsync(roomId, rooms, cancellationToken) : null);
        if (room is null)
        {
            return ChatSayResult.NoSuchRoom;
        }

        if (!rooms.Log.HasSpace && !await rooms.Log.WaitForSpaceAsync(cancellationToken))
        {
            return ChatSayResult.Unavailable;
        }

        (Account account, _) = await store.FindOrCreateAccountAsync(player, rooms.Time, cancellationToken);
        var from = new Member { PlayerId = account.Id, Name = account.Name };
        return await room.SayAsync(from, messageId, clean, cancellationToken) switch
        {
            true => ChatSayResult.Said,
            false => ChatSayResult.Unavailable,
            null => ChatSayResult.NoSuchRoom,
        };
    }
}
