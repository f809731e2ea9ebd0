using PlayChat.Cluster.Directory;
using PlayChat.Protocol;
using PlayChat.Server.Configuration;

namespace PlayChat.Server.Cluster;

/// <summary>
/// Reaches the players of all nodes: with notices of an operator, with the end of a session, and with direct messages. Thread-safe.
/// </summary>
/// <remarks>
/// <para>It goes through the cluster's log. A call completes when this node has read its record back: then every node that is up reads it
/// as well, and does it once. That does not need the directory.</para>
/// <para>Every call throws <see cref="ClusterDirectoryException"/> when the log does not answer, the directory is away that the call needs,
/// or this node has no place in the cluster now.</para>
/// </remarks>
internal sealed class ClusterPlayers(ClusterNode node, ServerSettings settings, TimeProvider time)
{
    /// <summary>Has all nodes tell something to all their players, or to the members of a room.</summary>
    /// <param name="roomId">The room; 0 for all players.</param>
    /// <param name="message">The sentence.</param>
    /// <param name="cancellationToken">Ends the wait; the players may be told nevertheless.</param>
    /// <returns>The number of sessions of this node that were told.</returns>
    public Task<int> TellAsync(long roomId, string message, CancellationToken cancellationToken) =>
        PublishAsync(RoomEntryKind.Notice, roomId, new RoomEntryBody(0, default, 0, 0, "", message), userId: 0, cancellationToken);

    /// <summary>Has another node tell something to the player of a session.</summary>
    /// <param name="place">From <see cref="FindSessionAsync"/>.</param>
    /// <param name="message">The sentence.</param>
    /// <param name="cancellationToken">Ends the wait; the player may be told nevertheless.</param>
    public Task TellAsync(SessionPlace place, string message, CancellationToken cancellationToken) =>
        PublishAsync(RoomEntryKind.SessionNotice, roomId: 0, To(place, message), userId: 0, cancellationToken);

    /// <summary>Has another node close a session.</summary>
    /// <param name="place">From <see cref="FindSessionAsync"/>.</param>
    /// <param name="message">What its player is told; empty for the usual sentence.</param>
    /// <param name="cancellationToken">Ends the wait; the session may be closed nevertheless.</param>
    public Task CloseAsync(SessionPlace place, string message, CancellationToken cancellationToken) =>
        PublishAsync(RoomEntryKind.SessionClose, roomId: 0, To(place, message), userId: 0, cancellationToken);

    /// <summary>Has another node give a player a direct message. That node drops it if the player is away or behind.</summary>
    /// <param name="userId">The player that the message is for.</param>
    /// <param name="message">The message, with the player that sends it.</param>
    /// <param name="cancellationToken">Ends the wait; the player may be given it nevertheless.</param>
    /// <returns><see langword="false"/> when the player has no session on another node.</returns>
    public async Task<bool> SayAsync(long userId, SDirectChatNtf message, CancellationToken cancellationToken)
    {
        if (await FindSessionAsync(userId, cancellationToken) is not { } place)
        {
            return false;
        }

        // In the place of a room's id, as a kick has it: so the messages of different players use all shards.
        RoomEntryBody body = To(place, message.Text) with { SentAtUnixMs = message.SentAtUnixMs, Name = message.PlayerName };
        await PublishAsync(RoomEntryKind.DirectChat, userId, body, message.PlayerId, cancellationToken);
        return true;
    }

    /// <summary>Finds the session of a player on another node.</summary>
    public async Task<SessionPlace?> FindSessionAsync(long userId, CancellationToken cancellationToken)
    {
        ClusterLife life = GetLife();
        try
        {
            SessionPlace? found = await life.Directory.FindSessionAsync(userId, cancellationToken)
                .WaitAsync(settings.Cluster.AnswerTimeout, time, cancellationToken);
            return found is { } place && place.Node != life.Origin ? place : null;
        }
        catch (TimeoutException e)
        {
            throw new ClusterDirectoryException("The directory does not answer. Try again later.", e);
        }
    }

    /// <summary>Whether a room has members, on whichever node.</summary>
    public async Task<bool> HasMembersAsync(long roomId, CancellationToken cancellationToken) =>
        (await GetLife().Directory.GetMembersAsync(roomId, cancellationToken)).Count > 0;

    private ClusterLife GetLife() =>
        node.Life
        ?? throw new ClusterDirectoryException("This node has no place in the cluster now. Ask another node, or try again later.");

    private static RoomEntryBody To(SessionPlace place, string text) => new(0, place.Node, place.SessionId, 0, "", text);

    private async Task<int> PublishAsync(
        RoomEntryKind kind, long roomId, RoomEntryBody body, long userId, CancellationToken cancellationToken)
    {
        ClusterLife life = GetLife();
        long number = life.NextNumber();
        Task<int> done = life.Players.Expect(number);
        try
        {
            if (!life.TryPublish(kind, roomId, userId, token: 0, body with { Number = number }))
            {
                throw new ClusterDirectoryException("The cluster's log does not answer, so nothing was done. Try again later.");
            }

            return await done.WaitAsync(settings.Cluster.AnswerTimeout, time, cancellationToken);
        }
        catch (TimeoutException e)
        {
            throw new ClusterDirectoryException(
                "The cluster's log does not answer. It may have taken the request: then it is done when the log is back.", e);
        }
        finally
        {
            life.Players.Forget(number);
        }
    }
}
