using PlayChat.Chat.Accounts;
using PlayChat.Chat.Places;

namespace PlayChat.Chat.Handlers;

/// <summary>Ends devices that stay logged in by a login token. Thread-safe.</summary>
internal sealed class KeptDevices(PlayChatServer server, IChatStore store, IPlayers players)
{
    /// <summary>Removes the token of a device, and closes the sessions that share it, on all nodes: those of one browser do.</summary>
    /// <remarks>Nothing cancels it: what it has begun does not depend on the connection that asks.</remarks>
    /// <exception cref="StorageException">The database or the cluster cannot do its part. A repeated call does the rest.</exception>
    public async Task EndAsync(long playerId, long tokenId, string message, Session? except = null)
    {
        await store.RemoveLoginTokenAsync(playerId, tokenId, CancellationToken.None);
        foreach (Session session in server.Sessions.FindAllOfUser(playerId).Where(session => session != except))
        {
            if (((ChatUser)session.User!).LoginTokenId == tokenId)
            {
                await OperatorNotices.CloseAsync(server.Sessions, session, message);
            }
        }

        try
        {
            await players.CloseElsewhereAsync(playerId, tokenId, message, CancellationToken.None);
        }
        catch (ClusterDirectoryException e)
        {
            throw new StorageException(StorageErrorKind.Unavailable, e.Message, e);
        }
    }
}
