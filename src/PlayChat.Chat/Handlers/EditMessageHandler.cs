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
        }
        else if (limits.TryTakePage(context) && context.TryFindRoom(server, message.RoomId, out ChatRoom? room))
        {
            await context.UseStoreAsync(
                room.Id, "The older messages", logger, () => EditAsync(context, room, message.Sequence, text, cancellationToken));
        }
    }

    private async Task EditAsync(PacketContext context, ChatRoom room, long sequence, string text, CancellationToken cancellationToken)
    {
        RoomOutcome? outcome = await RoomEdits.AskAsync(
            room, store, sequence, (edits, stored) => edits.Apply(context.Session, sequence, text, stored), cancellationToken);
        if (await context.WaitUntilDoneAsync(room.Id, outcome) is not { } edited)
        {
            return;
        }

        if (edited.PlayerId != 0)
        {
            AuditLog.MessageDeleted(logger, context.Session.User!.Id, context.Session.Id, sequence, edited.PlayerId, room.Id);
        }

        context.Answer(ChatPackets.SEditMessageRes, new SEditMessageRes { RoomId = room.Id, Sequence = sequence });
    }
}
