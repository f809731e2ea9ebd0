using PlayChat.Chat.Cluster;

namespace PlayChat.Chat.Places;

/// <summary>The players of all nodes of a cluster. Thread-safe.</summary>
/// <remarks>
/// <para>It goes through the cluster's log. A call completes when this node has read its record back: then every node that is up reads it
/// as well, and does it once. That does not need the directory.</para>
/// <para>Every call throws <see cref="ClusterDirectoryException"/> when the log does not answer, the directory is away that the call needs,
/// or this node has no place in the cluster now. A call that is cancelled may be done nevertheless.</para>
/// </remarks>
internal sealed class ClusterPlayers(PlayChatServer server, ClusterNode node, ServerSettings settings, TimeProvider time) : IPlayers
{
    /// <inheritdoc/>
    public bool AreElsewhere => true;

    /// <inheritdoc/>
    public Task<int> TellAsync(long roomId, string message, CancellationToken cancellationToken) =>
        PublishAsync(
            RoomEntryKind.Notice, roomId, new RoomEntryBody(0, default, 0, 0, "", message), userId: 0, token: 0, cancellationToken);

    /// <inheritdoc/>
    public async Task<bool> HasMembersElsewhereAsync(long roomId, CancellationToken cancellationToken) =>
        (await GetLife().Directory.GetMembersAsync(roomId, cancellationToken)).Count > 0;

    /// <inheritdoc/>
    public Task<int?> TellElsewhereAsync(long userId, string message, CancellationToken cancellationToken) =>
        SendAsync(RoomEntryKind.SessionNotice, userId, message, cancellationToken);

    /// <inheritdoc/>
    public Task<int?> CloseElsewhereAsync(long userId, string message, CancellationToken cancellationToken) =>
        SendAsync(RoomEntryKind.SessionClose, userId, message, cancellationToken);

    /// <inheritdoc/>
    public async ValueTask<bool> SayAsync(long userId, SDirectChatNtf message, CancellationToken cancellationToken)
    {
        if (server.Sessions.FindUser(userId) is { } here && DirectChat.Give(here, message))
        {
            return true;
        }

        if (await FindSessionAsync(userId, cancellationToken) is not { } place)
        {
            return false;
        }

        // In the place of a room's id, as a kick has it: so the messages of different players use all shards.
        RoomEntryBody body = To(place, message.Text) with { SentAtUnixMs = message.SentAtUnixMs, Name = message.PlayerName };
        await PublishAsync(RoomEntryKind.DirectChat, userId, body, message.PlayerId, (ulong)message.Number, cancellationToken);
        return true;
    }

    /// <summary>Finds the session of a player on another node.</summary>
    private async Task<SessionPlace?> FindSessionAsync(long userId, CancellationToken cancellationToken)
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

    /// <summary>Has the node of a player do something with the player's session.</summary>
    /// <returns>The node; <see langword="null"/> when the player has no session on another node.</returns>
    private async Task<int?> SendAsync(RoomEntryKind kind, long userId, string message, CancellationToken cancellationToken)
    {
        if (await FindSessionAsync(userId, cancellationToken) is not { } place)
        {
            return null;
        }

        await PublishAsync(kind, roomId: 0, To(place, message), userId: 0, token: 0, cancellationToken);
        return place.Node.NodeId;
    }

    private ClusterLife GetLife() =>
        node.Life
        ?? throw new ClusterDirectoryException("This node has no place in the cluster now. Ask another node, or try again later.");

    private static RoomEntryBody To(SessionPlace place, string text) => new(0, place.Node, place.SessionId, 0, "", text);

    private async Task<int> PublishAsync(
        RoomEntryKind kind, long roomId, RoomEntryBody body, long userId, ulong token, CancellationToken cancellationToken)
    {
        ClusterLife life = GetLife();
        long number = life.NextNumber();
        Task<int> done = life.Players.Expect(number);
        try
        {
            if (!life.TryPublish(kind, roomId, userId, token, body with { Number = number }))
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
