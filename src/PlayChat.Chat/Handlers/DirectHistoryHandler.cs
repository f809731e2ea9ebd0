using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>C_DIRECT_HISTORY_REQ: a page of what the player and another one have said to each other.</summary>
internal sealed class DirectHistoryHandler(
    IChatStore store, HistoryReader history, PlayerLimits limits, ILogger<DirectHistoryHandler> logger) : IPacketHandler<CDirectHistoryReq>
{
    public async ValueTask HandleAsync(PacketContext context, CDirectHistoryReq message, CancellationToken cancellationToken)
    {
        if (!context.TryReadLimit(message.Limit, ChatLimits.MaxHistoryMessages, out int limit) || !limits.TryTakePage(context))
        {
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
        IReadOnlyList<DirectMessage> found = isAfter
            ? await store.Direct.ReadAfterAsync(playerId, message.PlayerId, message.AfterNumber, limit + 1, cancellationToken)
            : await store.Direct.ReadBeforeAsync(playerId, message.PlayerId, before, limit + 1, cancellationToken);
        // From the place that was asked for: what does not fit is farther away.
        IEnumerable<SDirectChatNtf> told = history.FitPage((isAfter ? found : found.Reverse()).Take(limit)
            .Select(static one => ConversationReader.Describe(one, fromName: "")));
        var page = new SDirectHistoryRes { PlayerId = message.PlayerId, Messages = { isAfter ? told : told.Reverse() } };
        page.More = found.Count > page.Messages.Count;
        return page;
    }
}
