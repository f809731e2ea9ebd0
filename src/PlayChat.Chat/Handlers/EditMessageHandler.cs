using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>C_EDIT_MESSAGE_REQ: another text for a message, or none.</summary>
internal sealed class EditMessageHandler(
    PlayChatServer server, IChatStore store, PlayerLimits limits, ILogger<EditMessageHandler> logger) : IPacketHandler<CEditMessageReq>
{
    public async ValueTask HandleAsync(PacketContext context, CEditMessageReq message, CancellationToken cancellationToken)
    {
        string text = "";
        if (message.Text.Length > 0 && !ChatText.TryClean(message.Text, out text))
        {
            context.Fail(ErrorCode.TextInvalid, ChatText.Invalid);
            return;
        }

        if (!limits.TryTakePage(context))
        {
            return;
        }

        if (server.Rooms.Find(message.RoomId) is not ChatRoom room
            || await EditAsync(context, room, message.Sequence, text, cancellationToken) is not { } outcome)
        {
            context.FailNoSuchRoom(message.RoomId);
        }
        else if (outcome.Code != ErrorCode.None)
        {
            context.Fail(outcome.Code, outcome.Message, outcome.RetryAfter);
        }
        else if (outcome.Done is not { } done || await done)
        {
            if (outcome.AuthorId != 0)
            {
                (long player, long connection) = (context.Session.User!.Id, context.Session.Id);
                AuditLog.MessageDeleted(logger, player, connection, message.Sequence, outcome.AuthorId, room.Id);
            }

            context.Answer(ChatPackets.SEditMessageRes, new SEditMessageRes { RoomId = room.Id, Sequence = message.Sequence });
        }
        else
        {
            context.FailUnavailable();
        }
    }

    private async Task<EditOutcome?> EditAsync(
        PacketContext context, ChatRoom room, long sequence, string text, CancellationToken cancellationToken)
    {
        EditOutcome? outcome = await room.EditAsync(context.Session, sequence, text, stored: null, cancellationToken);
        if (outcome is not { IsStoreNeeded: true })
        {
            return outcome;
        }

        try
        {
            IReadOnlyList<ChatRecord> found = await store.ReadChatAfterAsync(room.Id, sequence - 1, limit: 1, cancellationToken);
            return found is [var record] && record.Sequence == sequence
                ? await room.EditAsync(context.Session, sequence, text, record, cancellationToken)
                : outcome;
        }
        catch (StorageException e)
        {
            ServerLog.HistoryStorageFailed(logger, room.Id, context.Session.Id, e.Message);
            return new EditOutcome(
                ErrorCode.StorageUnavailable, "The message is in the server's database, which is unavailable. Try again later.");
        }
    }
}
