using PlayChat.Chat.Rooms.Order;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms;

/// <summary>Decides whether a message may be changed or deleted. For the room's turn alone.</summary>
internal sealed class RoomEdits(ChatRoom room, ChatRoomServices services, RoomOrder order)
{
    private const string NotFound = "There is no such message, or it was deleted. Read the history of the room.";

    /// <summary>Changes a message, or refuses to.</summary>
    /// <inheritdoc cref="ChatRoom.EditAsync"/>
    public EditOutcome Apply(Session session, long sequence, string text, ChatRecord? stored)
    {
        if (room.FindMember(session) is not { } by)
        {
            return new EditOutcome(ErrorCode.NotInRoom, Answers.NotInRoom(room.Id));
        }

        if (room.Journal.History.Find(sequence) is { } remembered)
        {
            return remembered.Kind != RoomEventKind.Chat || remembered.Text.Length == 0
                ? new EditOutcome(ErrorCode.MessageNotFound, NotFound)
                : Apply(by, sequence, text, remembered.Who.PlayerId, DateTimeOffset.FromUnixTimeMilliseconds(remembered.SentAtUnixMs));
        }

        return stored is { } record
            ? record.PlayerId == 0 || record.Text.Length == 0
                ? new EditOutcome(ErrorCode.MessageNotFound, NotFound)
                : Apply(by, sequence, text, record.PlayerId, record.SentAt)
            : new EditOutcome(ErrorCode.MessageNotFound, NotFound, IsStoreNeeded: sequence <= room.Journal.History.LetGoThrough);
    }

    private EditOutcome Apply(ChatMember by, long sequence, string text, long authorId, DateTimeOffset saidAt)
    {
        if (authorId != by.Shown.PlayerId)
        {
            RoomRole own = room.Register.RoleOf(by.Shown.PlayerId);
            if (text.Length > 0)
            {
                return new EditOutcome(ErrorCode.Forbidden, "Only its author changes a message. Moderators may delete it.");
            }

            if (own < RoomRole.Moderator || own <= room.Register.RoleOf(authorId))
            {
                return new EditOutcome(
                    ErrorCode.Forbidden, "This message is not yours to delete. Ask a moderator whose role is higher than its author's.");
            }
        }
        else if (services.Time.GetUtcNow() - saidAt > services.Settings.EditWindow)
        {
            return new EditOutcome(
                ErrorCode.Forbidden,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"This server lets you change a message for {services.Settings.EditWindow:d\\d\\ hh\\:mm} hours after you said it. ")
                    + "Say something new.");
        }
        else if (text.Length > 0 && room.Register.FindMute(authorId, out _) is { } muted)
        {
            return new EditOutcome(ErrorCode.Forbidden, muted);
        }

        return new EditOutcome(ErrorCode.None, "", Done: order.EditAsync(by.Shown, sequence, text));
    }
}
