using PlayChat.Chat.Accounts;

namespace PlayChat.Chat.Handlers;

/// <summary>C_LIST_CONVERSATIONS_REQ: a page of the conversations of the player.</summary>
internal sealed class ListConversationsHandler(
    ConversationReader conversations, PlayerLimits limits, ILogger<ListConversationsHandler> logger)
    : IPacketHandler<CListConversationsReq>
{
    private const int MaxConversations = ChatLimits.MaxRoomsPerPage;

    public async ValueTask HandleAsync(PacketContext context, CListConversationsReq message, CancellationToken cancellationToken)
    {
        if (!context.TryReadLimit(message.Limit, MaxConversations, out int limit) || !limits.TryTakePage(context))
        {
            return;
        }

        SessionUser player = context.Session.User!;
        try
        {
            context.Answer(
                ChatPackets.SListConversationsRes,
                await conversations.ListAsync(player.Id, player.Name, message.Before, limit, cancellationToken));
        }
        catch (StorageException e)
        {
            context.FailDirectStorage(logger, e);
        }
    }
}
