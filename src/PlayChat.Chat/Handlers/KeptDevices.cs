using PlayChat.Chat.Accounts;
using PlayChat.Chat.Places;

namespace PlayChat.Chat.Handlers;

/// <summary>Ends devices that stay logged in by a login token. Thread-safe.</summary>
internal sealed class KeptDevices(PlayChatServer server, IChatStore store, IPlayers players)
{
    /// <summary>Removes the token of a device, and closes the sessions that share it, on all nodes: those of one browser do.</summary>
    /// <exception cref="StorageException">The database or the cluster cannot do its part. A repeated call does the rest.</exception>
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

        try
        {
            await players.CloseElsewhereAsync(playerId, tokenId, message, cancellationToken);
        }
        catch (ClusterDirectoryException e)
        {
            throw new StorageException(StorageErrorKind.Unavailable, e.Message, e);
        }
    }
}
