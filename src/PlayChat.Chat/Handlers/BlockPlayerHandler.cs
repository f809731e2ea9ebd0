using PlayChat.Chat.Accounts;

namespace PlayChat.Chat.Handlers;

/// <summary>C_BLOCK_PLAYER_REQ: blocks a player, ends a block, or lists the blocked players.</summary>
internal sealed class BlockPlayerHandler(
    IChatStore store, PlayerLimits limits, TimeProvider time, ILogger<BlockPlayerHandler> logger) : IPacketHandler<CBlockPlayerReq>
{
    private const int MaxBlocked = 1000;

    public async ValueTask HandleAsync(PacketContext context, CBlockPlayerReq message, CancellationToken cancellationToken)
    {
        if (!limits.TryTakePage(context))
        {
            return;
        }

        long playerId = context.Session.User!.Id;
        try
        {
            Account? other = await store.FindPlayerAsync(message.PlayerId, message.PlayerName, cancellationToken);
            if (other is null && (message.PlayerId != 0 || message.PlayerName.Length > 0))
            {
                context.Fail(ErrorCode.NameUnknown, Answers.NoSuchPlayer);
                return;
            }

            if (other?.Id == playerId)
            {
                context.Fail(ErrorCode.Forbidden, "You can't block yourself. Name another player.");
                return;
            }

            if (other is not null && !message.Unblock)
            {
                var blocked = new BlockedPlayer(other.Id, other.Name, time.GetUtcNow());
                if (!await store.Direct.BlockAsync(playerId, blocked, MaxBlocked, cancellationToken))
                {
                    context.Fail(
                        ErrorCode.BlockListFull, $"You have blocked {MaxBlocked} players, the most that one may block. Unblock one first.");
                    return;
                }
            }
            else if (other is not null)
            {
                await store.Direct.UnblockAsync(playerId, other.Id, cancellationToken);
            }

            context.Answer(ChatPackets.SBlockPlayerRes, new SBlockPlayerRes
            {
                Player = other is null ? null : new Member { PlayerId = other.Id, Name = other.Name },
                Blocked =
                {
                    (await store.Direct.ListBlockedAsync(playerId, cancellationToken))
                        .Select(static one => new Member { PlayerId = one.Id, Name = one.Name }),
                },
            });
        }
        catch (StorageException e)
        {
            context.FailDirectStorage(logger, e);
        }
    }
}
