using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms.Members;

/// <summary>Carries out what moderators ask of a room. For the room's turn alone.</summary>
internal sealed class RoomModeration(ChatRoom room, ChatRoomServices services)
{
    private RoomRegister Register => room.Register;

    /// <summary>Whether a session has the role that something needs; otherwise why not.</summary>
    public ModerationOutcome Check(Session session, RoomRole needed) =>
        room.FindMember(session) is not { } by ? new ModerationOutcome(ErrorCode.NotInRoom, Answers.NotInRoom(room.Id))
        : !room.CanModerate
            ? ModerationOutcome.Forbidden("Rooms of a cluster are not moderated by their players. Ask the operator.")
        : Register.RoleOf(by.Shown.PlayerId) >= needed ? ModerationOutcome.Done(playerId: 0)
        : ModerationOutcome.Forbidden(needed == RoomRole.Owner
            ? "Only an owner of this room may do this. Ask one of them."
            : "Only moderators and owners of this room may do this. Ask one of them.");

    /// <summary>Carries out a request that was checked, or refuses it.</summary>
    /// <param name="session">The session that asks.</param>
    /// <param name="request">What it asks for, with the hash of a password in its place.</param>
    /// <param name="account">The account of the request's name; <see langword="null"/> when it names a player by id.</param>
    public ModerationOutcome Apply(Session session, CModerateReq request, Account? account)
    {
        bool isForOwners = request.Action is ModerationAction.SetRole or ModerationAction.RemoveRoom;
        ModerationOutcome refusal = Check(session, isForOwners ? RoomRole.Owner : RoomRole.Moderator);
        if (refusal.Code != ErrorCode.None)
        {
            return refusal;
        }

        ChatMember by = room.FindMember(session)!;
        RoomRole own = Register.RoleOf(by.Shown.PlayerId);
        switch (request.Action)
        {
            case ModerationAction.RemoveRoom:
                room.End($"{by.Shown.Name} has removed the room {room.Name}.");
                return ModerationOutcome.Done(playerId: 0);
            case ModerationAction.SetTopic:
                room.Change(
                    room.Kind with { Topic = request.Topic },
                    by.Shown,
                    request.Topic.Length == 0 ? $"{by.Shown.Name} removed the topic." : $"{by.Shown.Name} set the topic: {request.Topic}");
                return ModerationOutcome.Done(playerId: 0);
            case ModerationAction.SetCapacity:
                room.Change(
                    room.Kind with { Capacity = request.Capacity },
                    by.Shown,
                    request.Capacity == 0 ? $"{by.Shown.Name} ended the room's own capacity."
                        : $"{by.Shown.Name} set the capacity: {request.Capacity} players.");
                return ModerationOutcome.Done(playerId: 0);
            case ModerationAction.SetPassword:
                room.Change(
                    room.Kind with { PasswordHash = request.Password.Length == 0 ? null : request.Password },
                    by.Shown,
                    request.Password.Length == 0 ? $"{by.Shown.Name} removed the password."
                        : $"{by.Shown.Name} set a password. Members don't need it.");
                return ModerationOutcome.Done(playerId: 0);
            case ModerationAction.Lock or ModerationAction.Unlock:
                bool isLocked = request.Action == ModerationAction.Lock;
                room.Change(
                    room.Kind with { IsLocked = isLocked },
                    by.Shown,
                    isLocked ? $"{by.Shown.Name} locked the room: only members enter." : $"{by.Shown.Name} unlocked the room.");
                return ModerationOutcome.Done(playerId: 0);
            case ModerationAction.SetSlowMode:
                room.Change(
                    room.Kind with { SlowSeconds = request.Seconds },
                    by.Shown,
                    request.Seconds == 0 ? $"{by.Shown.Name} ended slow mode."
                        : $"{by.Shown.Name} began slow mode: members speak once in {request.Seconds} seconds.");
                return ModerationOutcome.Done(playerId: 0);
        }

        if (FindTarget(request, account) is not { } target)
        {
            return new ModerationOutcome(ErrorCode.NameUnknown, "The room knows no player of this number. Name the player.");
        }

        return target.PlayerId == by.Shown.PlayerId ? ModerationOutcome.Forbidden("You can't do this to yourself.")
            : target.Role >= own
                ? ModerationOutcome.Forbidden($"{target.Name} has the same role as you, or a higher one. Ask an owner of the room.")
            : Register.Find(target.PlayerId) is null && Register.Count >= services.Settings.MaxLastingMembers
                ? new ModerationOutcome(ErrorCode.ServerFull, "The room remembers as many players as it may. Lift a ban first.")
            : Apply(by, target, request);
    }

    private ModerationOutcome Apply(ChatMember by, Member target, CModerateReq request)
    {
        RoomPlayer? present = room.FindPlayer(target.PlayerId);
        bool isMember = present is not null || Register.Find(target.PlayerId) is { IsMember: true };
        DateTimeOffset end = request.Seconds == 0 ? ModerationTerms.Never
            : services.Time.GetUtcNow() + TimeSpan.FromSeconds(request.Seconds);
        string until = ModerationTerms.Until(end);
        string reason = request.Reason.Length == 0 ? "." : $": {request.Reason.TrimEnd('.')}.";
        string name = by.Shown.Name;
        RoomMembership known = Register.Find(target.PlayerId)
            ?? new RoomMembership(room.Id, target.PlayerId, target.Name, isMember ? RoomMemberRole.Member : RoomMemberRole.None);
        if (!isMember && request.Action is ModerationAction.Mute or ModerationAction.Kick or ModerationAction.SetRole)
        {
            return new ModerationOutcome(ErrorCode.NotInRoom, $"{target.Name} is no member of this room. List its members to see who is.");
        }

        switch (request.Action)
        {
            case ModerationAction.Mute:
                Register.Set(known with { MutedUntil = end });
                room.Announce(target, $"{target.Name} was muted{until} by {name}{reason}");
                break;
            case ModerationAction.Unmute when known.MutedUntil is not null:
                Register.Set(known with { MutedUntil = null });
                room.Announce(target, $"{name} let {target.Name} speak again{reason}");
                break;
            case ModerationAction.Kick:
                TakeOut(target, present, $"{target.Name} was removed by {name}{reason}", $"{name} removed you from {room.Name}{reason}");
                break;
            case ModerationAction.Ban:
                Register.Set(known with { Role = RoomMemberRole.None, BannedUntil = end });
                TakeOut(
                    target,
                    present,
                    $"{target.Name} was banned{until} by {name}{reason}",
                    $"{name} banned you from {room.Name}{until}{reason}");
                break;
            case ModerationAction.Unban when known.BannedUntil is not null:
                Register.Set(known with { BannedUntil = null });
                room.Announce(target, $"{name} lifted the ban of {target.Name}{reason}");
                break;
            case ModerationAction.Unmute or ModerationAction.Unban:
                return ModerationOutcome.Forbidden($"{target.Name} is not muted or banned here, so there is nothing to take back.");
            case ModerationAction.Invite:
                return Invite(by.Shown, target, isMember);
            default:
                GiveRole(target, present, request.Role);
                room.Announce(target, $"{name} made {target.Name} {Words(request.Role)}{reason}");
                break;
        }

        return ModerationOutcome.Done(target.PlayerId);
    }

    private static string Words(RoomRole role) => role switch
    {
        RoomRole.Owner => "an owner",
        RoomRole.Moderator => "a moderator",
        _ => "a member",
    };

    private ModerationOutcome Invite(Member by, Member target, bool isMember)
    {
        if (!Register.IsLasting)
        {
            return ModerationOutcome.Forbidden($"Rooms don't last on this server. Tell {target.Name} the number of the room: {room.Id}.");
        }

        if (isMember)
        {
            return new ModerationOutcome(ErrorCode.AlreadyInRoom, $"{target.Name} is a member already.");
        }

        if (Register.Find(target.PlayerId)?.BannedUntil is { } end && end > services.Time.GetUtcNow())
        {
            return ModerationOutcome.Forbidden($"{target.Name} is banned from this room. Lift the ban first.");
        }

        RoomMembership invited = Register.Grow(target.PlayerId, target.Name, RoomRole.Member) with { ReadSequence = room.LatestSequence };
        Register.Set(invited);
        room.Announce(target, $"{by.Name} invited {target.Name}.");
        services.Tell(
            target.PlayerId,
            ChatPackets.SInvitedNtf,
            new SInvitedNtf { Membership = MembershipReader.Describe(invited, room.Name), By = by });
        return ModerationOutcome.Done(target.PlayerId);
    }

    /// <summary>Ends a membership, which tells the others, and tells the player why.</summary>
    private void TakeOut(Member target, RoomPlayer? present, string told, string toldTarget)
    {
        if (present is null)
        {
            Register.Remove(target.PlayerId);
            room.Announce(target, told);
        }
        else
        {
            room.TakeOut(present, told, toldTarget);
        }
    }

    private void GiveRole(Member target, RoomPlayer? present, RoomRole role)
    {
        target.Role = role;
        Register.Set(Register.Grow(target.PlayerId, target.Name, role));
        if (present is not null)
        {
            present.Shown = target;
        }
    }

    /// <summary>The player that a request is about, as a member is shown; the caller's own.</summary>
    private Member? FindTarget(CModerateReq request, Account? account)
    {
        long id = account?.Id ?? request.PlayerId;
        string? name = account?.Name ?? room.FindPlayer(id)?.Shown.Name ?? Register.Find(id)?.PlayerName;
        return name is null ? null : new Member { PlayerId = id, Name = name, Role = Register.RoleOf(id) };
    }
}
