using PlayChat.Core.Dispatch;

namespace PlayChat.Core.Hosting;

/// <summary>Maps what else belongs to a login; see <see cref="PlayChatServer.UseLogin"/>.</summary>
public static class LoginRouting
{
    /// <summary>
    /// Handles the packet by which a client leaves for good: the session ends, its rooms call <c>OnLeave</c>, and the connection closes.
    /// </summary>
    /// <typeparam name="TLogout">The packet; one of the server's <see cref="PacketSet"/> carries it.</typeparam>
    /// <param name="router">The server's.</param>
    public static PacketRouteBuilder MapLogout<TLogout>(this PacketRouter router)
    {
        ArgumentNullException.ThrowIfNull(router);
        return router.MapPacket<TLogout>(static async (context, _, cancellationToken) =>
        {
            await context.Sessions.EndAsync(context.Session, cancellationToken: cancellationToken).ConfigureAwait(false);
            context.Connection.Close();
        });
    }

    /// <summary>
    /// Handles the packet by which a client says that it has the newest resume token: the one before becomes void at once instead of after
    /// <see cref="SessionOptions.ResumeWindow"/>.
    /// </summary>
    /// <typeparam name="TConfirm">The packet; one of the server's <see cref="PacketSet"/> carries it.</typeparam>
    /// <param name="router">The server's.</param>
    public static PacketRouteBuilder MapResumeConfirmation<TConfirm>(this PacketRouter router)
    {
        ArgumentNullException.ThrowIfNull(router);
        return router.MapPacket<TConfirm>(static (context, _) => context.Sessions.ConfirmResumeAsync(context.Connection));
    }
}
