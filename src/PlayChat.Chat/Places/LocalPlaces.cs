using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Chat.Sessions;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Places;

/// <summary>The rooms of a server that is alone, those of an earlier run as well. Thread-safe.</summary>
internal sealed class LocalPlaces(
    PlayChatServer server, ChatRoomServices rooms, MembershipReader memberships, RoomPasswords passwords, ShutdownState shutdown)
    : IPlaces
{
    public bool IsOpen => true;

    public string? FindWayOut(bool isFollowed) => null;

    public ValueTask<bool> TryBindAsync(PacketContext context, bool followsRedirects) => ValueTask.FromResult(true);

    public ValueTask<bool> TryMoveAsync(
        PacketContext context, CResumeReq message, SResumeRes answer, CancellationToken cancellationToken) => ValueTask.FromResult(false);

    public async ValueTask CreateAsync(PacketContext context, string name, RoomKind kind, CancellationToken cancellationToken)
    {
        long player = context.Session.User!.Id;
        if (kind.IsPrivate && !rooms.RoomsLast)
        {
            context.Fail(ErrorCode.Forbidden, "Rooms don't last on this server, so none is private. Create one that is not.");
            return;
        }

        if (await memberships.MayEnterAsync(context, roomId: 0, cancellationToken) is null)
        {
            return;
        }

        if (!rooms.Archive.Names.TryTake(name, out long other))
        {
            context.FailNameTaken(name, other);
            return;
        }

        if (!rooms.Quotas.TryTakeOf(player))
        {
            rooms.Archive.Names.GiveBack(name);
            context.FailCreatedTooMany(rooms.Settings.MaxCreatedPerPlayer, rooms.RoomsLast);
            return;
        }

        if (!rooms.Quotas.TryTake())
        {
            rooms.Archive.Names.GiveBack(name);
            rooms.Quotas.GiveBackOf(player);
            context.FailServerFull(rooms.Settings.MaxRooms);
            return;
        }

        ChatRoom room = server.Rooms.Create(
            rooms.SettingsOf(name), made => new ChatRoom(made, rooms, rooms.CreateOrder(), kind with { CreatorId = player }));
        var join = new RoomJoin(context);
        if ((await room.JoinAsync(context.Session, join, cancellationToken: CancellationToken.None)).Status == JoinStatus.TooManyRooms)
        {
            context.FailInTooManyRooms(rooms.Limits.MaxRoomsPerSession);
        }
    }

    public async ValueTask JoinAsync(PacketContext context, long roomId, string password, CancellationToken cancellationToken)
    {
        if (await memberships.MayEnterAsync(context, roomId, cancellationToken) is not { } mentions)
        {
            return;
        }

        ChatRoom? room = server.Rooms.Find(roomId) as ChatRoom ?? await WakeAsync(context, roomId, cancellationToken);
        string? opened = null;
        while (room is not null)
        {
            var join = new RoomJoin(context, OpenedHash: opened, UnreadMentions: mentions);
            JoinResult<ChatMember> result = await room.JoinAsync(context.Session, join, cancellationToken: cancellationToken);
            if (result is { Status: JoinStatus.Refused, Reason: ChatRoom.PasswordNeeded } && room.Kind.PasswordHash is var hash)
            {
                // The room alone knows whether the player needs it. A moderator may change it meanwhile: then it is checked again.
                if (hash is not null && !await passwords.OpensAsync(context, password, hash, cancellationToken))
                {
                    return;
                }

                opened = hash;
                continue;
            }

            if (result.Status != JoinStatus.Removed || !room.IsUntouched || shutdown.IsStopping)
            {
                Answer(context, room, result);
                return;
            }

            // The player for whom the room had been woken did not enter, so it fell asleep. Only the archive knows for certain whether it
            // still sleeps: the registry may show the removed room for another moment.
            room = await WakeAsync(context, roomId, cancellationToken);
        }
    }

    public ValueTask ListAsync(PacketContext context, CListRoomsReq query, int limit, CancellationToken cancellationToken)
    {
        // One without members is being removed, unless rooms last.
        IReadOnlyList<RoomDescription> listed = server.Rooms.List(
            new RoomQuery
            {
                AfterId = query.AfterRoomId,
                Limit = limit,
                Where = room => room is ChatRoom chat && (rooms.RoomsLast || chat.PlayerCount > 0) && chat.Kind.Matches(query),
            },
            out bool hasMore);
        IEnumerable<RoomInfo> awake = listed.Select(info => server.Rooms.Find(info.Id)).OfType<ChatRoom>()
            .Select(room => room.Kind.Describe(room.Id, room.Name, room.PlayerCount, rooms.Limits.MaxMembers));
        RoomInfo[] found =
        [
            .. rooms.Archive.ListAsleep(query, limit + 1)
                .Select(asleep => asleep.Kind.Describe(asleep.Room.RoomId, asleep.Room.RoomName!, 0, rooms.Limits.MaxMembers))
                .Concat(awake)
                .DistinctBy(static room => room.RoomId) // one may wake meanwhile
                .OrderBy(static room => room.RoomId)
                .Take(limit + 1),
        ];
        hasMore |= found.Length > limit;
        var page = new SListRoomsRes { More = hasMore, Rooms = { found.Take(limit) } };
        page.LastRoomId = !hasMore ? 0 : page.Rooms.Count > 0 ? page.Rooms[^1].RoomId : listed[^1].Id;
        context.Answer(ChatPackets.SListRoomsRes, page);
        return default;
    }

    /// <summary>Answers a join that the room has refused. The room itself answers the others.</summary>
    private void Answer(PacketContext context, ChatRoom room, JoinResult<ChatMember> result)
    {
        switch (result.Status)
        {
            case JoinStatus.Full:
                context.FailRoomFull(room.Id, room.Capacity);
                break;
            case JoinStatus.Refused when result.Reason is { Length: > 0 } why:
                context.FailEntry(room.Id, room.Capacity, why);
                break;
            case JoinStatus.AlreadyMember:
                context.FailAlreadyInRoom(room.Id);
                break;
            case JoinStatus.TooManyRooms:
                context.FailInTooManyRooms(rooms.Limits.MaxRoomsPerSession);
                break;
            case JoinStatus.Refused or JoinStatus.Removed:
                context.FailNoSuchRoom(room.Id);
                break;
        }
    }

    /// <returns><see langword="null"/> when there is none, which has been answered.</returns>
    private async ValueTask<ChatRoom?> WakeAsync(PacketContext context, long roomId, CancellationToken cancellationToken)
    {
        try
        {
            ChatRoom? room = await rooms.Archive.WakeAsync(roomId, rooms, cancellationToken);
            if (room is null)
            {
                context.FailNoSuchRoom(roomId);
            }

            return room;
        }
        catch (StorageException e)
        {
            ServerLog.RoomNotSaved(rooms.Logger, e.Message);
            context.FailStorage("The room is stored in the server's database, which is unavailable. Try again later.");
            return null;
        }
    }
}
