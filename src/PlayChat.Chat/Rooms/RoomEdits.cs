using PlayChat.Chat.Rooms.Members;
using PlayChat.Chat.Rooms.Order;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms;

/// <summary>Changes messages and reacts to them, or refuses to. For the room's turn alone.</summary>
internal sealed class RoomEdits(ChatRoom room, ChatRoomServices services, RoomOrder order)
{
    private const string NotFound = "There is no such message, or it was deleted. Read the history of the room.";

    /// <summary>Changes a message, or deletes it where the text is empty. The stored message is given once the room has asked for
    /// it.</summary>
    public RoomOutcome Apply(Session session, long sequence, string text, ChatRecord? stored) =>
        Find(session, sequence, stored, out RoomOutcome refusal) is var (by, authorId, saidAt, changedAt)
            ? Apply(by, sequence, text, authorId, saidAt, changedAt)
            : refusal;

    /// <summary>Whether a member may react to a message; otherwise why not.</summary>
    public RoomOutcome CheckReaction(Session session, long sequence, bool remove, ChatRecord? stored) =>
        Find(session, sequence, stored, out RoomOutcome refusal) is not var (by, _, _, _) ? refusal
        : !remove && room.Register.FindMute(by.Shown.PlayerId, out TimeSpan wait) is { } muted
            ? RoomOutcome.Forbidden(muted, wait)
        : default;

    /// <summary>Lets the members hear of a reaction that the store has.</summary>
    public RoomOutcome React(Session session, RoomEventKind kind, long sequence, string emoji)
    {
        // The player may have left the room meanwhile, and the others count its reaction all the same.
        Member by = room.FindMember(session)?.Shown ?? new Member { PlayerId = session.User!.Id, Name = session.User.Name };
        return new RoomOutcome(ErrorCode.None, "", Done: order.ChangeAsync(kind, by, sequence, emoji));
    }

    /// <summary>Asks a room about a message, and once more with what the store has of it if the room needs that.</summary>
    /// <returns><see langword="null"/> when the room has ended.</returns>
    /// <exception cref="StorageException">The database failed.</exception>
    public static async Task<RoomOutcome?> AskAsync(
        ChatRoom room,
        IChatStore store,
        long sequence,
        Func<RoomEdits, ChatRecord?, RoomOutcome> question,
        CancellationToken cancellationToken)
    {
        RoomOutcome? outcome = await room.AskAsync<RoomOutcome?>(asked => question(asked.Edits, null), cancellationToken);
        return outcome is { IsStoreNeeded: true }
            && await store.ReadChatAfterAsync(room.Id, sequence - 1, limit: 1, cancellationToken) is [var record]
            && record.Sequence == sequence
                ? await room.AskAsync<RoomOutcome?>(asked => question(asked.Edits, record), cancellationToken)
                : outcome;
    }

    /// <summary>Finds the member of a session, and of a message the author, the time, and when it was changed last: in ms since 1970, 0
    /// for never.</summary>
    private (ChatMember By, long AuthorId, DateTimeOffset SaidAt, long ChangedAt)? Find(
        Session session, long sequence, ChatRecord? stored, out RoomOutcome refusal)
    {
        refusal = default;
        if (room.FindMember(session) is not { } by)
        {
            refusal = new RoomOutcome(ErrorCode.NotInRoom, Answers.NotInRoom(room.Id));
        }
        else if (room.Journal.History.Find(sequence) is { } remembered)
        {
            if (remembered.Kind == RoomEventKind.Chat && remembered.Text.Length > 0)
            {
                return (by, remembered.Who.PlayerId, DateTimeOffset.FromUnixTimeMilliseconds(remembered.SentAtUnixMs),
                    remembered.EditedAtUnixMs);
            }

            refusal = new RoomOutcome(ErrorCode.MessageNotFound, NotFound);
        }
        else if (stored is { PlayerId: not 0, Text.Length: > 0 } record)
        {
            return (by, record.PlayerId, record.SentAt, record.EditedAt?.ToUnixTimeMilliseconds() ?? 0);
        }
        else
        {
            bool isStoreNeeded = stored is null && sequence <= room.Journal.History.LetGoThrough;
            refusal = new RoomOutcome(ErrorCode.MessageNotFound, NotFound, IsStoreNeeded: isStoreNeeded);
        }

        return null;
    }

    private RoomOutcome Apply(ChatMember by, long sequence, string text, long authorId, DateTimeOffset saidAt, long changedAt)
    {
        if (authorId != by.Shown.PlayerId)
        {
            RoomRole own = room.Register.RoleOf(by.Shown.PlayerId);
            if (text.Length > 0)
            {
                return RoomOutcome.Forbidden("Only its author changes a message. Moderators may delete it.");
            }

            if (own < RoomRole.Moderator || own <= room.Register.RoleOf(authorId))
            {
                return RoomOutcome.Forbidden(
                    "This message is not yours to delete. Ask a moderator whose role is higher than its author's.");
            }
        }
        else if (services.Time.GetUtcNow() - saidAt > services.Settings.EditWindow)
        {
            return RoomOutcome.Forbidden(
                (services.Settings.EditWindow is var window && window == TimeSpan.Zero ? "This server lets nobody change a message."
                    : $"This server lets you change a message for {ModerationTerms.InWords(window)} after you said it.")
                    + " Say something new.");
        }
        else if (text.Length > 0 && room.Register.FindMute(authorId, out TimeSpan wait) is { } muted)
        {
            return RoomOutcome.Forbidden(muted, wait);
        }

        return new RoomOutcome(
            ErrorCode.None,
            "",
            authorId == by.Shown.PlayerId ? 0 : authorId,
            Done: order.ChangeAsync(RoomEventKind.Edit, by.Shown, sequence, text, after: changedAt));
    }
}
