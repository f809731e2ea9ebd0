using PlayChat.Chat.Cluster;
using PlayChat.Core.Connections;

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
    public bool AreElsewhere => true;

    public Task<int> TellAsync(long roomId, string message, CancellationToken cancellationToken) =>
        PublishAsync(
            RoomEntryKind.Notice, roomId, new RoomEntryBody(0, default, 0, 0, "", message), userId: 0, token: 0, cancellationToken);

    public async Task<bool> HasMembersElsewhereAsync(long roomId, CancellationToken cancellationToken) =>
        (await GetLife().Directory.GetMembersAsync(roomId, cancellationToken)).Count > 0;

    public Task<IReadOnlyList<int>> TellElsewhereAsync(long userId, string message, CancellationToken cancellationToken) =>
        SendAsync(RoomEntryKind.SessionNotice, userId, token: 0, message, cancellationToken);

    public Task<IReadOnlyList<int>> CloseElsewhereAsync(
        long userId, long loginTokenId, string message, CancellationToken cancellationToken) =>
        SendAsync(RoomEntryKind.SessionClose, userId, (ulong)loginTokenId, message, cancellationToken);

    public async ValueTask<bool> SayAsync(long userId, SDirectChatNtf message, CancellationToken cancellationToken)
    {
        bool isGiven = DirectChat.Give(server.Sessions.FindAllOfUser(userId), message);
        if (isGiven && settings.PlayChat.Sessions.MaxPerUser == 1)
        {
            return true;
        }

        IReadOnlyList<SessionPlace> places;
        try
        {
            places = await FindElsewhereAsync(userId, cancellationToken);
        }
        catch (ClusterDirectoryException) when (isGiven)
        {
            return true; // its other devices read the conversation later
        }

        // In the place of a room's id, as a kick has it: so the messages of different players use all shards.
        await Task.WhenAll(places.Select(place => PublishAsync(
            RoomEntryKind.DirectChat,
            userId,
            To(place, message.Text) with { SentAtUnixMs = message.SentAtUnixMs, Name = message.PlayerName },
            message.PlayerId,
            (ulong)message.Number,
            cancellationToken)));
        return isGiven || places.Count > 0;
    }

    public async ValueTask TellSentAsync(Session device, SDirectSentNtf message, CancellationToken cancellationToken)
    {
        long own = device.User!.Id;
        server.Sessions.Tell(own, ChatPackets.SDirectSentNtf, message, except: device, Delivery.DropIfBehind);
        if (settings.PlayChat.Sessions.MaxPerUser == 1)
        {
            return;
        }

        foreach (SessionPlace place in (await FindElsewhereAsync(own, cancellationToken)).DistinctBy(static place => place.Node))
        {
            RoomEntryBody body = To(place, message.Text) with { SentAtUnixMs = message.SentAtUnixMs };
            GetLife().TryPublish(RoomEntryKind.DirectSent, roomId: own, message.PlayerId, (ulong)message.Number, body);
        }
    }

    /// <summary>Finds the sessions of a player on other nodes.</summary>
    private async Task<IReadOnlyList<SessionPlace>> FindElsewhereAsync(long userId, CancellationToken cancellationToken)
    {
        ClusterLife life = GetLife();
        try
        {
            IReadOnlyList<SessionPlace> found = await life.Directory.FindSessionsAsync(userId, cancellationToken)
                .WaitAsync(settings.Cluster.AnswerTimeout, time, cancellationToken);
            return [.. found.Where(place => place.Node != life.Origin)];
        }
        catch (TimeoutException e)
        {
            throw new ClusterDirectoryException("The directory does not answer. Try again later.", e);
        }
    }

    /// <summary>Has the other nodes do something with the sessions of a player.</summary>
    /// <returns>The nodes.</returns>
    private async Task<IReadOnlyList<int>> SendAsync(
        RoomEntryKind kind, long userId, ulong token, string message, CancellationToken cancellationToken)
    {
        IReadOnlyList<SessionPlace> places = await FindElsewhereAsync(userId, cancellationToken);
        await Task.WhenAll(places.Select(
            place => PublishAsync(kind, roomId: 0, To(place, message), userId: 0, token, cancellationToken)));
        return [.. places.Select(static place => place.Node.NodeId).Distinct().Order()];
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
