using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Members;

namespace PlayChat.Chat.Handlers;

/// <summary>C_MODERATE_REQ: what a moderator does to a player.</summary>
internal sealed class ModerateHandler(
    PlayChatServer server, IChatStore store, PlayerLimits limits, RoomPasswords passwords, MembershipReader members,
    ServerSettings settings, ILogger<ModerateHandler> logger)
    : IPacketHandler<CModerateReq>
{
    public async ValueTask HandleAsync(PacketContext context, CModerateReq message, CancellationToken cancellationToken)
    {
        if (!IsValid(message))
        {
            context.Fail(
                ErrorCode.MalformedPacket,
                $"The request names an unknown action or role, more than {ModerationTerms.MaxSeconds} seconds, or "
                    + $"{ModerationTerms.MaxSlowSeconds} of slow mode, or a reason or a topic of more than "
                    + $"{ModerationTerms.MaxReasonBytes} bytes or with characters that can't be seen. Correct the client.");
            return;
        }

        if (!limits.TryTakePage(context) || !context.TryFindRoom(server, message.RoomId, out ChatRoom? room))
        {
            return;
        }

        if (!passwords.TryCheck(context, message.Capacity, message.Password))
        {
            return;
        }

        if (message.Password.Length > 0 || message.Action == ModerationAction.Invite)
        {
            // Members that may not do it cost no hash, and learn nothing of the player that they invite.
            if (await context.WaitUntilDoneAsync(room.Id, await room.CheckModeratorAsync(context.Session, cancellationToken)) is null)
            {
                return;
            }
        }

        if (message.Password.Length > 0)
        {
            if (await passwords.HashAsync(context, message.Password, cancellationToken) is not { } hash)
            {
                return;
            }

            message.Password = hash; // the room sees no password
        }

        Account? account = null;
        try
        {
            if (message.PlayerId == 0 && message.Action < ModerationAction.RemoveRoom)
            {
                account = await store.FindAccountAsync(message.PlayerName, cancellationToken);
                if (account is null)
                {
                    context.Fail(ErrorCode.NameUnknown, "There is no player of this name. Check its spelling.");
                    return;
                }
            }

            if (message.Action == ModerationAction.Invite
                && !await MayInviteAsync(context, account?.Id ?? message.PlayerId, room.Id, cancellationToken))
            {
                return;
            }
        }
        catch (StorageException e)
        {
            ServerLog.HistoryStorageFailed(logger, room.Id, context.Session.Id, e.Message);
            context.FailStorage("The players are in the server's database, which is unavailable. Try again later.");
            return;
        }

        RoomOutcome? outcome = await room.AskAsync<RoomOutcome?>(
            asked => asked.Moderation.Apply(context.Session, message, account), cancellationToken);
        if (await context.WaitUntilDoneAsync(room.Id, outcome) is not { } moderated)
        {
            return;
        }

        (long player, long connection) = (context.Session.User!.Id, context.Session.Id);
        if (moderated.PlayerId == 0)
        {
            AuditLog.RoomModerated(logger, player, connection, message.Action, room.Id, moderated.Message);
        }
        else
        {
            AuditLog.Moderated(logger, player, connection, message.Action, moderated.PlayerId, room.Id, moderated.Message);
        }

        if (moderated.Stored is { } stored && !await stored)
        {
            context.FailUncertain();
            return;
        }

        context.Answer(ChatPackets.SModerateRes, new SModerateRes { RoomId = room.Id, PlayerId = moderated.PlayerId });
    }

    /// <summary>Whether a player takes an invitation. If not, that has been answered.</summary>
    private async Task<bool> MayInviteAsync(PacketContext context, long playerId, long roomId, CancellationToken cancellationToken)
    {
        if (settings.Direct.Stored && await store.Direct.IsBlockedAsync(playerId, context.Session.User!.Id, cancellationToken))
        {
            context.Fail(ErrorCode.PlayerRefuses, Answers.Refuses);
            return false;
        }

        if (await members.FindPlaceAsync(playerId, roomId, cancellationToken) is null)
        {
            context.Fail(
                ErrorCode.ServerFull,
                $"This player is a member of {server.Options.Rooms.MaxRoomsPerSession} rooms, the most that one may be in. Ask it to leave "
                    + "one, then invite it again.");
            return false;
        }

        return true;
    }

    private static bool IsValid(CModerateReq message) =>
        message.Action is > ModerationAction.None and <= ModerationAction.Unlock
        && message.Role is >= RoomRole.Member and <= RoomRole.Owner
        && message.Seconds <= (message.Action == ModerationAction.SetSlowMode
            ? ModerationTerms.MaxSlowSeconds : ModerationTerms.MaxSeconds)
        && ChatText.IsShown(message.Reason, ModerationTerms.MaxReasonBytes)
        && ChatText.IsShown(message.Topic, ModerationTerms.MaxTopicBytes);
}
