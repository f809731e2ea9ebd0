using PlayChat.Chat.Places;

namespace PlayChat.Chat.Handlers;

/// <summary>C_DIRECT_CHAT_REQ: a text for one player, on whichever node of a cluster it is.</summary>
/// <remarks>No history has it. The player's node drops what it cannot send soon.</remarks>
internal sealed class DirectChatHandler(IPlayers players, TimeProvider time) : IPacketHandler<CDirectChatReq>
{
    // No time to wait for: whether a second copy does harm only the sender can say.
    private const string Unavailable =
        "The servers of the cluster cannot reach each other now. The player may still get the message: "
        + "send it again only if a second copy does no harm.";

    private static readonly SDirectChatRes s_answer = new();

    /// <inheritdoc/>
    public async ValueTask HandleAsync(PacketContext context, CDirectChatReq message, CancellationToken cancellationToken)
    {
        if (!ChatText.TryClean(message.Text, out string text))
        {
            context.Fail(ErrorCode.TextInvalid, ChatText.Invalid);
            return;
        }

        SessionUser sender = context.Session.User!; // the router requires a login
        SDirectChatNtf packet = DirectChat.Create(sender.Id, sender.Name, text, time.GetUtcNow().ToUnixTimeMilliseconds());
        try
        {
            if (await players.SayAsync(message.PlayerId, packet, cancellationToken))
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
}
