using PlayChat.Chat.Accounts;
using PlayChat.Chat.Cluster;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Cluster.Log;
using PlayChat.Core;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Places;

/// <summary>The rooms and the players of a cluster, as its directory knows them. Thread-safe.</summary>
/// <remarks>
/// For a list the directory knows which rooms have members, and the store their names and kinds, and all rooms that last. A page costs each
/// of them one query, of at most <see cref="MaxRead"/> rooms, however few of these are of the kind that the player looks for. The page may
/// then be short, or empty, and says that there is more.
/// </remarks>
internal sealed class ClusterPlaces(
    PlayChatServer server,
    ClusterNode node,
    ClusterRooms replicas,
    ChatRoomServices rooms,
    MembershipReader memberships,
    RoomPasswords passwords,
    IChatStore store,
    OtherNodes others,
    ServerSettings settings,
    ILogger<ClusterPlaces> logger) : IPlaces
{
    private const int MaxRead = IChatStore.MaxReadLimit;

    private static readonly TimeSpan s_retryAfter = TimeSpan.FromSeconds(1);

    public bool IsOpen => node.Life is not null;

    public string? FindWayOut(bool isFollowed) => isFollowed ? node.FindWayOut() : null;

    public async ValueTask<bool> TryBindAsync(PacketContext context, bool followsRedirects)
    {
        Redirects.NoteLogin(context.Session, followsRedirects);
        SErrorNtf? error = null;
        try
        {
            if (node.Life is { } life)
            {
                await node.BindAsync(life, context.Session, context.Connection.Aborted);
                return true;
            }
        }
        catch (Exception e) when (e is ClusterDirectoryException or OperationCanceledException)
        {
            ServerLog.LoginStorageFailed(logger, context.Session.Id, e.Message);
            error = Answers.Error(
                context.PacketId, ErrorCode.StorageUnavailable, "The cluster's database is unavailable. Try again later.", s_retryAfter);
        }
        catch (NodeFencedException e)
        {
            ServerLog.LoginStorageFailed(logger, context.Session.Id, e.Message);
        }

        // The session is bound to the player already, and is bound only once: another try needs another connection.
        await server.Sessions.EndAsync(context.Session, CloseReason.NodeFenced);
        context.Reply(
            error ?? Answers.Error(
                context.PacketId, ErrorCode.Unavailable, "This node is no part of its cluster now. Connect again.", s_retryAfter),
            ChatPackets.SErrorNtf);
        CloseNotices.TellAndClose(context.Connection, CloseReason.NodeFenced);
        return false;
    }

    /// <inheritdoc/>
    /// <remarks>The rooms send what the player has missed after the answer, as if it had been here.</remarks>
    public async ValueTask<bool> TryMoveAsync(
        PacketContext context, CResumeReq message, SResumeRes answer, CancellationToken cancellationToken)
    {
        Session session = context.Session;
        Redirects.NoteResume(session, message.FollowsRedirects);
        answer.Restored &= session.FindRooms<ChatRoom>().Count == 0; // else an earlier resume has moved it, and its answer was lost
        if (!answer.Restored || node.Life is not { } life)
        {
            return false;
        }

        Dictionary<LogOrder, long?> moved = [];
        try
        {
            await MoveAsync(life, session, message, answer, moved, cancellationToken);
        }
        catch (ClusterDirectoryException e)
        {
            // The token is used up, so the player is let in, and joins its rooms again, as after a restart.
            ServerLog.ClusterDirectoryFailed(logger, e.Message);
            node.BindLater(life, session);
            GiveUp();
            moved.Clear();
            answer.Rooms.Clear();
            answer.Rooms.AddRange(message.Rooms.Select(static place => new ResumedRoom { RoomId = place.RoomId }));
            answer.Restored = true;
        }
        catch
        {
            GiveUp(); // the connection broke again, or a room failed
            throw;
        }

        context.Answer(ChatPackets.SResumeRes, answer);
        foreach ((LogOrder replica, long? replayAfter) in moved)
        {
            if (await EnterAsync(replica, new RoomJoin(context, replayAfter)) == JoinStatus.Joined)
            {
                replicas.NoteEntered(session, replica.RoomId);
            }
            else
            {
                replicas.GiveUp(life, session, replica.RoomId);
                string told = $"You could not come back to {replica.Room.Name}. Join it again.";
                context.Connection.SendPacket(
                    new SRoomLeftNtf { RoomId = replica.RoomId, Message = told }, type: ChatPackets.SRoomLeftNtf);
            }
        }

        return true;

        void GiveUp()
        {
            foreach (LogOrder replica in moved.Keys)
            {
                replicas.GiveUp(life, session, replica.RoomId);
            }
        }
    }

    public async ValueTask CreateAsync(PacketContext context, string name, RoomKind kind, CancellationToken cancellationToken)
    {
        if (!rooms.RoomsLast && (kind.Capacity > 0 || kind.PasswordHash is not null || kind.IsPrivate))
        {
            context.Fail(
                ErrorCode.Forbidden,
                "Rooms of this cluster don't last, so they have no capacity and no password of their own, and none is private. Create one "
                    + "without them.");
            return;
        }

        if (await memberships.MayEnterAsync(context, roomId: 0, cancellationToken) is null)
        {
            return;
        }

        if (node.Life is not { } life)
        {
            context.FailUnavailable();
            return;
        }

        long id;
        long? owner;
        try
        {
            // Where rooms don't last, a room without members is removed, and has no creator.
            RoomKind owned = rooms.RoomsLast ? kind with { CreatorId = context.Session.User!.Id } : kind;
            (id, owner) = await replicas.CreateAsync(life, name, owned, cancellationToken);
        }
        catch (StorageException e)
        {
            ServerLog.RoomNotSaved(rooms.Logger, e.Message);
            FailStorage(context);
            return;
        }

        if (owner is not { } taken)
        {
            context.FailCreatedTooMany(rooms.Settings.MaxCreatedPerPlayer, roomsLast: true);
        }
        else if (taken != id)
        {
            context.FailNameTaken(name, taken);
        }
        else
        {
            await JoinAsync(context, id, password: "", cancellationToken);
        }
    }

    public async ValueTask JoinAsync(PacketContext context, long roomId, string password, CancellationToken cancellationToken)
    {
        // The session's rooms include one whose turn has not come to the leave that was sent just before: the room itself is asked.
        Session session = context.Session;
        ChatRoom? present = session.FindRooms<ChatRoom>().FirstOrDefault(room => room.Id == roomId);
        if (present is not null && await present.HasMemberAsync(session, cancellationToken))
        {
            context.FailAlreadyInRoom(roomId);
            return;
        }

        if (node.Life is not { } life)
        {
            context.FailUnavailable();
            return;
        }

        if (settings.Cluster.Affinity && await FindServingNodeAsync(life, session, roomId, cancellationToken) is { } other)
        {
            context.FailRedirect(other);
            return;
        }

        string? opened = null;
        int mentions = 0;
        if (rooms.RoomsLast)
        {
            if (await memberships.MayEnterAsync(context, roomId, cancellationToken) is not { } unread)
            {
                return;
            }

            mentions = unread;

            try
            {
                opened = await replicas.FindPasswordAsync(roomId, session.User!.Id, cancellationToken);
            }
            catch (StorageException e)
            {
                ServerLog.RoomNotSaved(rooms.Logger, e.Message);
                FailStorage(context);
                return;
            }

            if (opened is not null && !await passwords.OpensAsync(context, password, opened, cancellationToken))
            {
                return;
            }
        }

        Reservation reserved = await replicas.ReserveAsync(life, session, roomId, opened, cancellationToken);
        if (reserved.Refusal is { } refusal)
        {
            context.FailEntry(roomId, reserved.Capacity, refusal);
            return;
        }

        (LogOrder? replica, ErrorCode error) = (reserved.Replica, reserved.Error);
        if (replica is not null)
        {
            error = await EnterAsync(replica, new RoomJoin(context, UnreadMentions: mentions)) switch
            {
                JoinStatus.Joined => ErrorCode.None,
                JoinStatus.AlreadyMember => ErrorCode.AlreadyInRoom,
                JoinStatus.TooManyRooms => ErrorCode.ServerFull,
                _ => ErrorCode.Unavailable, // the replica has ended meanwhile, or the node has lost its place
            };
            if (error is ErrorCode.ServerFull or ErrorCode.Unavailable)
            {
                replicas.GiveUp(life, session, roomId);
            }
            else
            {
                replicas.NoteEntered(session, roomId);
            }
        }

        switch (error)
        {
            case ErrorCode.None:
                break; // the room has answered
            case ErrorCode.AlreadyInRoom:
                context.FailAlreadyInRoom(roomId);
                break;
            case ErrorCode.RoomNotFound:
                context.FailNoSuchRoom(roomId);
                break;
            case ErrorCode.RoomFull:
                context.FailRoomFull(roomId, reserved.Capacity);
                break;
            case ErrorCode.ServerFull when replica is not null:
                context.FailInTooManyRooms(rooms.Limits.MaxRoomsPerSession);
                break;
            case ErrorCode.ServerFull:
                context.FailServerFull(rooms.Settings.MaxRooms);
                break;
            case ErrorCode.StorageUnavailable:
                FailStorage(context);
                break;
            default:
                context.FailUnavailable();
                break;
        }
    }

    public async ValueTask ListAsync(PacketContext context, CListRoomsReq query, int limit, CancellationToken cancellationToken)
    {
        if (node.Life is not { } life)
        {
            context.FailUnavailable();
            return;
        }

        try
        {
            context.Answer(ChatPackets.SListRoomsRes, await ReadPageAsync(life, query, limit, cancellationToken));
        }
        catch (Exception e) when (e is ClusterDirectoryException or StorageException)
        {
            ServerLog.ClusterDirectoryFailed(logger, e.Message);
            context.FailStorage("The rooms are listed in the cluster's database, which is unavailable. Try again later.");
        }
    }

    private static async ValueTask<JoinStatus> EnterAsync(LogOrder replica, RoomJoin join) =>
        (await replica.Room.JoinAsync(join.Request.Session, join, cancellationToken: CancellationToken.None)).Status;

    private static void FailStorage(PacketContext context) =>
        context.FailStorage("Joining a room needs the cluster's database, which is unavailable. Try again later.");

    /// <summary>Moves the memberships, and then the session. Fills <paramref name="answer"/>, and <paramref name="moved"/> with the
    /// replicas, each with the sequence after which it sends everything.</summary>
    private async Task MoveAsync(
        ClusterLife life,
        Session session,
        CResumeReq message,
        SResumeRes answer,
        Dictionary<LogOrder, long?> moved,
        CancellationToken cancellationToken)
    {
        int spareBytes = server.Options.Connections.MaxOutboundBytes / 2;
        foreach (RoomPlace place in message.Rooms)
        {
            var result = new ResumedRoom { RoomId = place.RoomId };
            answer.Rooms.Add(result);
            if (moved.Keys.All(replica => replica.RoomId != place.RoomId) // each room once
                && await replicas.MoveAsync(life, session, place.RoomId, cancellationToken) is { } replica)
            {
                moved[replica] = null;
                if (await replica.Room.MeasureAsync(place.LastSequence, spareBytes, cancellationToken) is { } standing)
                {
                    moved[replica] = standing.CanRecover ? place.LastSequence : null;
                    spareBytes -= standing.Tell(result);
                }
            }
        }

        try
        {
            // After the rooms: the other node ends the older session, and with it the memberships that have not moved.
            await node.BindAsync(life, session, cancellationToken);
        }
        catch (Exception e) when (e is ClusterDirectoryException or NodeFencedException)
        {
            ServerLog.ClusterDirectoryFailed(logger, e.Message);
            node.BindLater(life, session);
        }

        answer.Restored = false;
    }

    /// <summary>
    /// Finds the node that has the most members of a room, for a player that can go there: its client follows, it is in no room here, and
    /// this node does not serve the room. A join is redirected once at most: the other node may have failed.
    /// </summary>
    /// <returns>HOST:PORT, or <see langword="null"/> to serve the room here.</returns>
    private async Task<string?> FindServingNodeAsync(
        ClusterLife life, Session session, long roomId, CancellationToken cancellationToken)
    {
        if (!Redirects.AreFollowedBy(session)
            || Redirects.TakeStay(session)
            || session.FindRooms<ChatRoom>().Any()
            || life.FeedOf(roomId).Find(roomId) is not null)
        {
            return null;
        }

        try
        {
            IReadOnlyList<ClusterMember> members = await life.Directory.GetMembersAsync(roomId, cancellationToken);
            IGrouping<RecordOrigin, ClusterMember>? serving =
                members.GroupBy(static member => member.Node).MaxBy(static node => node.Count());
            string? other = serving is null ? null : others.Redirect(serving.Key);
            if (other is not null)
            {
                Redirects.NoteSent(session);
            }

            return other;
        }
        catch (ClusterDirectoryException)
        {
            return null; // the join itself answers that
        }
    }

    private async Task<SListRoomsRes> ReadPageAsync(
        ClusterLife life, CListRoomsReq query, int limit, CancellationToken cancellationToken)
    {
        bool isFiltered = query.Type.Length > 0 || query.Properties.Count > 0;
        int most = isFiltered || rooms.RoomsLast ? MaxRead : limit + 1;
        IReadOnlyList<RoomPopulation> populated = await life.Directory.GetRoomsAsync(query.AfterRoomId, most, cancellationToken);
        IReadOnlyList<RoomPosition> stored = rooms.RoomsLast
            ? await store.GetRoomPositionsAsync(query.AfterRoomId, MaxRead, cancellationToken)
            : await store.FindRoomsAsync([.. populated.Select(static room => room.RoomId)], cancellationToken);
        long[] read = [.. rooms.RoomsLast ? stored.Select(static room => room.RoomId) : populated.Select(static room => room.RoomId)];
        Dictionary<long, RoomPosition> byId = stored.ToDictionary(static room => room.RoomId);
        Dictionary<long, int> members = populated.ToDictionary(static room => room.RoomId, static room => room.Members);
        var page = new SListRoomsRes { More = read.Length == (rooms.RoomsLast ? MaxRead : most) };
        long last = 0;
        foreach (long id in read)
        {
            if (byId.GetValueOrDefault(id) is { RoomName: { } name, State: not RoomState.Removed } position
                && RoomKind.Parse(position.Attributes) is var kind
                && kind.Matches(query))
            {
                if (page.Rooms.Count == limit)
                {
                    page.More = true;
                    break;
                }

                page.Rooms.Add(kind.Describe(id, name, members.GetValueOrDefault(id), rooms.Limits.MaxMembers));
            }

            last = id;
        }

        page.LastRoomId = page.More ? last : 0;
        return page;
    }
}
