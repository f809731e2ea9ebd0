using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>C_DIRECT_HISTORY_REQ: a page of what the player and another one have said to each other.</summary>
internal sealed class DirectHistoryHandler(
    IChatStore store, HistoryReader history, PlayerLimits limits, ILogger<DirectHistoryHandler> logger) : IPacketHandler<CDirectHistoryReq>
{
    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CDirectHistoryReq message, CancellationToken cancellationToken)
    {
        if (!context.TryReadLimit(message.Limit, ChatLimits.MaxHistoryMessages, out int limit))
        {
            return;
        }

        if (limits.TakePage(context.Session) is var wait && wait > TimeSpan.Zero)
        {
            context.FailForNow(wait);
            return;
        }

        try
        {
            context.Answer(
                ChatPackets.SDirectHistoryRes, await ReadAsync(context.Session.User!.Id, message, limit, cancellationToken));
        }
        catch (StorageException e)
        {
            context.FailDirectStorage(logger, e);
        }
    }

    private async Task<SDirectHistoryRes> ReadAsync(
        long playerId, CDirectHistoryReq message, int limit, CancellationToken cancellationToken)
    {
        bool isAfter = message.PositionCase == CDirectHistoryReq.PositionOneofCase.AfterNumber;
        long before = message.PositionCase == CDirectHistoryReq.PositionOneofCase.BeforeNumber ? message.BeforeNumber : long.MaxValue;
        // One more than a page has, to see whether there are more.
        IEnumerable<DirectMessage> found = isAfter
            ? await store.Direct.ReadAfterAsync(playerId, message.PlayerId, message.AfterNumber, limit + 1, cancellationToken)
            : (await store.Direct.ReadBeforeAsync(playerId, message.PlayerId, before, limit + 1, cancellationToken)).Reverse();
        var page = new SDirectHistoryRes { PlayerId = message.PlayerId };
        int bytes = 0;
        foreach (SDirectChatNtf told in found.Select(static one => ConversationReader.Describe(one, fromName: "")))
        {
            bytes += told.CalculateSize();
            if (page.Messages.Count == limit || (bytes > history.PageBytes && page.Messages.Count > 0))
            {
                page.More = true;
                break;
            }

            page.Messages.Insert(isAfter ? page.Messages.Count : 0, told);
        }

        return page;
    }
}
