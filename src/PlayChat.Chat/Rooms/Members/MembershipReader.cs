using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms.Members;

/// <summary>Tells players which rooms they are members of. Thread-safe.</summary>
internal sealed class MembershipReader(IChatStore store, ChatRoomServices rooms)
{
    private const int MaxUnread = 100;

    /// <summary>The rooms that a player is a member of; none where rooms don't last.</summary>
    /// <exception cref="StorageException">The database failed.</exception>
    public async Task<IReadOnlyList<Membership>> ReadAsync(long playerId, CancellationToken cancellationToken)
    {
        if (!rooms.RoomsLast)
        {
            return [];
        }

        List<Membership> found = [];
        IReadOnlyList<RoomMembership> memberships = await ListAsync(playerId, cancellationToken);
        Dictionary<long, RoomPosition> open =
            (await store.FindRoomsAsync([.. memberships.Select(static one => one.RoomId)], cancellationToken))
            .Where(static room => room.State != RoomState.Removed).ToDictionary(static room => room.RoomId);
        foreach (RoomMembership stored in memberships)
        {
            if (open.GetValueOrDefault(stored.RoomId)?.RoomName is { } name)
            {
                Membership told = Describe(stored, name);
                told.Unread = (uint)await store.CountChatAfterAsync(
                    stored.RoomId, told.ReadSequence, playerId, MaxUnread, cancellationToken);
                found.Add(told);
            }
        }

        return found;
    }

    /// <summary>Whether a player is a member of a room that lasts, or may be of one more.</summary>
    /// <returns>If so, the messages there that mention the player and that it has not read; otherwise <see langword="null"/>.</returns>
    /// <exception cref="StorageException">The database failed.</exception>
    public async Task<int?> FindPlaceAsync(long playerId, long roomId, CancellationToken cancellationToken)
    {
        IReadOnlyList<RoomMembership> all = rooms.RoomsLast ? await ListAsync(playerId, cancellationToken) : [];
        RoomMembership? known = all.FirstOrDefault(one => one.RoomId == roomId);
        if (known is null && all.Count == rooms.Limits.MaxRoomsPerSession)
        {
            known = await store.FindMembershipAsync(roomId, playerId, cancellationToken); // from a time with a higher limit
            return known is { IsMember: true } ? known.UnreadMentions : null;
        }

        return known?.UnreadMentions ?? 0;
    }

    /// <summary>Whether a player may be a member of one more room that lasts. If not, that has been answered.</summary>
    /// <param name="context">The request.</param>
    /// <param name="roomId">The room; 0 for one that is not made yet.</param>
    /// <param name="cancellationToken">Cancelled when the peer's connection ends.</param>
    /// <returns>As of <see cref="FindPlaceAsync"/>.</returns>
    public async ValueTask<int?> MayEnterAsync(PacketContext context, long roomId, CancellationToken cancellationToken)
    {
        try
        {
            int? mentions = await FindPlaceAsync(context.Session.User!.Id, roomId, cancellationToken);
            if (mentions is null)
            {
                context.FailInTooManyRooms(rooms.Limits.MaxRoomsPerSession);
            }

            return mentions;
        }
        catch (StorageException e)
        {
            ServerLog.RoomNotSaved(rooms.Logger, e.Message);
            context.FailStorage("The room is stored in the server's database, which is unavailable. Try again later.");
            return null;
        }
    }

    /// <summary>The ids of the rooms that a session's player is a member of.</summary>
    /// <exception cref="StorageException">The database failed.</exception>
    public async Task<IReadOnlyCollection<long>> ListRoomsAsync(Session session, CancellationToken cancellationToken) =>
        rooms.RoomsLast
            ? [.. (await ListAsync(session.User!.Id, cancellationToken)).Select(static membership => membership.RoomId)]
            : [.. session.FindRooms<ChatRoom>().Select(static room => room.Id).Take(IChatStore.MaxReadLimit)];

    /// <summary>A membership as its player is told of it, without what is unread.</summary>
    public static Membership Describe(RoomMembership known, string roomName) => new()
    {
        RoomId = known.RoomId,
        Name = roomName,
        Role = RoomRegister.RoleOf(known),
        ReadSequence = known.ReadSequence,
        UnreadMentions = (uint)known.UnreadMentions,
    };

    // A player that has left a room just now is not told that it is a member.
    private async Task<IReadOnlyList<RoomMembership>> ListAsync(long playerId, CancellationToken cancellationToken)
    {
        rooms.Archive.Memberships.Flush(playerId: playerId);
        await rooms.Archive.Memberships.WrittenAsync(cancellationToken);
        return await store.ListMembershipsOfAsync(playerId, rooms.Limits.MaxRoomsPerSession, cancellationToken);
    }
}
