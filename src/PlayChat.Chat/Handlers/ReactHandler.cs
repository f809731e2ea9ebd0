using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>C_REACT_REQ: a reaction to a message. The store has it before the members hear of it, so that no history lacks it.</summary>
internal sealed class ReactHandler(
    PlayChatServer server, IChatStore store, PlayerLimits limits, ILogger<ReactHandler> logger) : IPacketHandler<CReactReq>
{
    public async ValueTask HandleAsync(PacketContext context, CReactReq message, CancellationToken cancellationToken)
    {
        if (!ChatRules.IsReaction(message.Emoji))
        {
            context.Fail(
                ErrorCode.TextInvalid, $"A reaction is one emoji of at most {ChatLimits.MaxReactionBytes} bytes. Choose another.");
        }
        else if (limits.TryTakePage(context) && context.TryFindRoom(server, message.RoomId, out ChatRoom? room))
        {
            await context.UseStoreAsync(room.Id, "Reactions", logger, () => ReactAsync(context, room, message, cancellationToken));
        }
    }

    private async Task ReactAsync(PacketContext context, ChatRoom room, CReactReq message, CancellationToken cancellationToken)
    {
        Session session = context.Session;
        (long sequence, string emoji, long player) = (message.Sequence, message.Emoji, session.User!.Id);
        RoomOutcome? outcome = await RoomEdits.AskAsync(
            room, store, sequence, (edits, stored) => edits.CheckReaction(session, sequence, message.Remove, stored), cancellationToken);
        if (await context.WaitUntilDoneAsync(room.Id, outcome) is null)
        {
            return;
        }

        bool? isChanged = message.Remove
            ? await store.RemoveReactionAsync(room.Id, sequence, player, emoji, CancellationToken.None)
            : await store.AddReactionAsync(room.Id, sequence, player, emoji, ChatLimits.MaxReactions, CancellationToken.None);
        if (isChanged is null)
        {
            context.Fail(
                ErrorCode.Forbidden, $"The message has {ChatLimits.MaxReactions} different reactions already. Choose one of those.");
            return;
        }

        if (isChanged == true)
        {
            RoomEventKind kind = message.Remove ? RoomEventKind.Unreact : RoomEventKind.React;
            RoomOutcome? told = await room.AskAsync<RoomOutcome?>(
                asked => asked.Edits.React(session, kind, sequence, emoji), CancellationToken.None);
            if (told is { Done: { } heard } && !await heard)
            {
                context.FailUnavailable(); // the store has it; the members may hear of it later
                return;
            }
        }

        context.Answer(ChatPackets.SReactRes, new SReactRes { RoomId = room.Id, Sequence = sequence });
    }
}
