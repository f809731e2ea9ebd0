using PlayChat.Chat.Accounts;
using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Places;

namespace PlayChat.Chat.Handlers;

/// <summary>C_DIRECT_CHAT_REQ: a text for one player, on whichever node of a cluster it is.</summary>
/// <remarks>
/// The player's node drops what it cannot send soon. Only where messages are stored, the player reads it later.
/// </remarks>
internal sealed class DirectChatHandler(
    IPlayers players, IChatStore store, DirectWriter writer, ServerSettings settings, TimeProvider time, ILogger<DirectChatHandler> logger)
    : IPacketHandler<CDirectChatReq>
{
    // No time to wait for: whether a second copy does harm only the sender can say.
    private const string Unavailable =
        "The servers of the cluster cannot reach each other now. The player may still get the message: "
        + "send it again only if a second copy does no harm.";

    private static readonly TimeSpan s_storeTimeout = TimeSpan.FromSeconds(5);
    private static readonly SDirectChatRes s_answer = new();

    public ValueTask HandleAsync(PacketContext context, CDirectChatReq message, CancellationToken cancellationToken)
    {
        if (!ChatText.TryClean(message.Text, out string text))
        {
            context.Fail(ErrorCode.TextInvalid, ChatText.Invalid);
            return default;
        }

        return settings.Direct.Stored
            ? StoreAsync(context, message, text, cancellationToken)
            : SayAsync(context, message.PlayerId, text, cancellationToken);
    }

    private async ValueTask SayAsync(PacketContext context, long playerId, string text, CancellationToken cancellationToken)
    {
        SessionUser sender = context.Session.User!; // the router requires a login
        SDirectChatNtf packet = DirectChat.Create(sender.Id, sender.Name, text, time.GetUtcNow().ToUnixTimeMilliseconds());
        try
        {
            if (await players.SayAsync(playerId, packet, cancellationToken))
            {
                context.Answer(ChatPackets.SDirectChatRes, s_answer);
            }
            else
            {
                context.Fail(
                    ErrorCode.PlayerNotConnected, "The player is not connected now, or does not read. Nothing was sent; try again later.");
            }
        }
        catch (ClusterDirectoryException)
        {
            context.Fail(ErrorCode.Unavailable, Unavailable);
        }
    }

    private async ValueTask StoreAsync(
        PacketContext context, CDirectChatReq message, string text, CancellationToken cancellationToken)
    {
        SessionUser sender = context.Session.User!;
        long to = message.PlayerId;
        DateTimeOffset now = time.GetUtcNow();
        try
        {
            if (to == 0)
            {
                if (await store.FindPlayerAsync(to, message.PlayerName, cancellationToken) is not { } named)
                {
                    context.Fail(ErrorCode.NameUnknown, Answers.NoSuchPlayer);
                    return;
                }

                to = named.Id;
            }
        }
        catch (StorageException e)
        {
            context.FailDirectStorage(logger, e);
            return;
        }

        var direct = new DirectMessage(sender.Id, to, text, now, sender.Name, message.ClientMessageId);
        if (!writer.TryStore(direct, out Task<DirectOutcome> storing))
        {
            context.Fail(ErrorCode.ServerBusy, "Too many messages wait to be stored. Nothing was sent; try again in a moment.");
            return;
        }

        DirectOutcome outcome;
        try
        {
            outcome = await storing.WaitAsync(s_storeTimeout, time, cancellationToken);
        }
        catch (Exception e) when (e is TimeoutException or OperationCanceledException)
        {
            if (e is TimeoutException)
            {
                context.FailDirectStorage(logger, e); // first: the delivery may begin at once
            }

            // Only the wait has ended. A repeated request is a duplicate then, which is not delivered.
            _ = DeliverLateAsync(context.PacketId, context.Session, direct, storing);
            if (e is OperationCanceledException)
            {
                throw;
            }

            return;
        }
        catch (StorageException e)
        {
            context.FailDirectStorage(logger, e);
            return;
        }

        switch (outcome.Status)
        {
            case DirectStatus.Unknown:
                context.Fail(ErrorCode.PlayerNotConnected, "There is no such player. Nothing was sent; check the player's number.");
                break;
            case DirectStatus.Refused:
                context.Fail(ErrorCode.PlayerRefuses, Answers.Refuses);
                break;
            case DirectStatus.Blocked:
                context.Fail(ErrorCode.PlayerBlocked, "You have blocked this player. Unblock it first.");
                break;
            default:
                context.Answer(ChatPackets.SDirectChatRes, new SDirectChatRes
                {
                    PlayerId = to,
                    Number = outcome.Number,
                    ClientMessageId = message.ClientMessageId,
                    Duplicate = outcome.Status == DirectStatus.Duplicate,
                });
                if (outcome.Status == DirectStatus.Stored)
                {
                    await DeliverAsync(context.Session, direct, outcome.Number);
                }

                break;
        }
    }

    private async Task DeliverLateAsync(ushort packetId, Session device, DirectMessage message, Task<DirectOutcome> storing)
    {
        try
        {
            if (await storing is { Status: DirectStatus.Stored } outcome)
            {
                await DeliverAsync(device, message, outcome.Number);
            }
        }
        catch (Exception e)
        {
            ServerLog.DirectStorageFailed(logger, packetId, device.Id, e.Message); // of any kind: the sender waits no longer
        }
    }

    /// <summary>Delivers a message that is stored, also when its sender has disconnected.</summary>
    private async Task DeliverAsync(Session device, DirectMessage message, long number)
    {
        SDirectChatNtf packet = DirectChat.Create(
            message.FromId, message.FromName, message.Text, message.SentAt.ToUnixTimeMilliseconds(), number);
        try
        {
            await players.SayAsync(message.ToId, packet, CancellationToken.None);
            await players.TellSentAsync(
                device,
                new SDirectSentNtf { PlayerId = message.ToId, Text = packet.Text, SentAtUnixMs = packet.SentAtUnixMs, Number = number },
                CancellationToken.None);
        }
        catch (ClusterDirectoryException)
        {
            // It is stored, so both players find it in their conversation.
        }
    }
}
