using PlayChat.Chat.Accounts;

namespace PlayChat.Chat.Handlers;

/// <summary>Ends devices that stay logged in by a login token. Thread-safe.</summary>
internal sealed class KeptDevices(PlayChatServer server, IChatStore store)
{
    /// <summary>Removes the token of a device, and closes the sessions that share it: those of one browser do.</summary>
    /// <param name="playerId">The player, whose device it is.</param>
    /// <param name="tokenId">The token.</param>
    /// <param name="message">What the sessions are told.</param>
    /// <param name="except">Stays.</param>
    /// <param name="cancellationToken">Ends the wait for the database.</param>
    /// <exception cref="StorageException">The database cannot do its part. Nothing was ended.</exception>
    public async Task EndAsync(
        long playerId, long tokenId, string message, Session? except = null, CancellationToken cancellationToken = default)
    {
        await store.RemoveLoginTokenAsync(playerId, tokenId, cancellationToken);
        foreach (Session session in server.Sessions.FindAllOfUser(playerId).Where(session => session != except))
        {
            if (((ChatUser)session.User!).LoginTokenId == tokenId)
            {
                await OperatorNotices.CloseAsync(server.Sessions, session, message);
            }
        }
    }
}
