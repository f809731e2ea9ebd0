using PlayChat.Chat.Rooms.Order;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms.Members;

/// <summary>Carries out what moderators ask of a room. For the room's turn alone.</summary>
internal sealed class RoomModeration(ChatRoom room, ChatRoomServices services, RoomOrder order)
{
    private RoomRegister Register => room.Register;

    /// <summary>Whether a session has the role that something needs; otherwise why not.</summary>
    public RoomOutcome Check(Session session, RoomRole needed) =>
        room.FindMember(session) is not { } by ? new RoomOutcome(ErrorCode.NotInRoom, Answers.NotInRoom(room.Id))
        : !room.CanModerate
            ? RoomOutcome.Forbidden("Players moderate rooms of a cluster only where rooms last. Ask the operator.")
        : Register.RoleOf(by.Shown.PlayerId) >= needed ? default
        : RoomOutcome.Forbidden(needed == RoomRole.Owner
            ? "Only an owner of this room may do this. Ask one of them."
            : "Only moderators and owners of this room may do this. Ask one of them.");

    /// <summary>Carries out a request that was checked, or refuses it.</summary>
    /// <param name="session">The session that asks.</param>
    /// <param name="request">What it asks for, with the hash of a password in its place.</param>
    /// <param name="account">The account of the request's name; <see langword="null"/> when it names a player by id.</param>
    public RoomOutcome Apply(Session session, CModerateReq request, Account? account)
    {
        bool isForOwners = request.Action is ModerationAction.SetRole or ModerationAction.RemoveRoom;
        RoomOutcome refusal = Check(session, isForOwners ? RoomRole.Owner : RoomRole.Moderator);
        if (refusal.Code != ErrorCode.None)
        {
            return refusal;
        }

        Member by = room.FindMember(session)!.Shown;
        if (ChangeOf(request, by) is { } change)
        {
            return Commit(change);
        }

        if (FindTarget(request, account) is not { } target)
        {
            return new RoomOutcome(ErrorCode.NameUnknown, "The room knows no player of this number. Name the player.");
        }

        return target.PlayerId == by.PlayerId ? RoomOutcome.Forbidden("You can't do this to yourself. Name another player.")
            : target.Role >= Register.RoleOf(by.PlayerId)
                ? RoomOutcome.Forbidden($"{target.Name} has the same role as you, or a higher one. Ask an owner of the room.")
            : !Register.Keeps(target.PlayerId) && Register.Count >= services.Settings.MaxLastingMembers
                ? new RoomOutcome(
                    ErrorCode.ServerFull,
                    $"The room keeps {Register.Count} players, members and banned ones, the most that it may. Remove one, or lift a ban "
                        + "first.")
            : Apply(by, target, request);
    }

    /// <summary>Has the moderators hear of a report without its messages, except the session that reports.</summary>
    /// <returns><see langword="false"/> where players do not moderate the room.</returns>
    public bool TryReport(Report report, Session reporter)
    {
        if (room.CanModerate)
        {
            order.Report(report, reporter);
        }

        return room.CanModerate;
    }

    /// <summary>Tells the moderators that are connected to this server of a report. For the order.</summary>
    public void TellModerators(Report report, Session? reporter)
    {
        foreach (long id in Register.Members.Select(static member => member.PlayerId)
            .Union(room.Present.Select(static member => member.PlayerId))
            .Where(id => Register.RoleOf(id) >= RoomRole.Moderator))
        {
            services.Tell(id, ChatPackets.SReportNtf, new SReportNtf { Report = report }, reporter);
        }
    }

    /// <summary>What a request changes about the room; <see langword="null"/> when it is about a player.</summary>
    private RoomChange? ChangeOf(CModerateReq request, Member by)
    {
        string Say(string what) => $"{by.Name} {what}";
        var change = new RoomChange(by.PlayerId, by.Name, Text: "");
        return request.Action switch
        {
            ModerationAction.RemoveRoom => change with { Ends = true, Text = Say($"has removed the room {room.Name}.") },
            ModerationAction.SetTopic => change with
            {
                Topic = request.Topic,
                Text = Say(request.Topic.Length == 0 ? "removed the topic." : $"set the topic: {request.Topic}"),
            },
            ModerationAction.SetCapacity => change with
            {
                Capacity = request.Capacity,
                Text = Say(request.Capacity == 0 ? "ended the room's own capacity." : $"set the capacity: {request.Capacity} players."),
            },
            ModerationAction.SetPassword => change with
            {
                PasswordHash = request.Password,
                Text = Say(request.Password.Length == 0 ? "removed the password." : "set a password. Members don't need it."),
            },
            ModerationAction.Lock => change with { IsLocked = true, Text = Say("locked the room: only members enter.") },
            ModerationAction.Unlock => change with { IsLocked = false, Text = Say("unlocked the room.") },
            ModerationAction.SetSlowMode => change with
            {
                SlowSeconds = request.Seconds,
                Text = Say(request.Seconds == 0 ? "ended slow mode."
                    : $"began slow mode: members speak once in {request.Seconds} seconds."),
            },
            _ => null,
        };
    }

    private RoomOutcome Apply(Member by, Member target, CModerateReq request)
    {
        RoomMembership? known = Register.Find(target.PlayerId);
        bool isMember = known is { IsMember: true } || room.IsPresent(target.PlayerId);
        DateTimeOffset end = request.Seconds == 0 ? ModerationTerms.Never
            : services.Time.GetUtcNow() + TimeSpan.FromSeconds(request.Seconds);
        string until = ModerationTerms.Until(end);
        string reason = request.Reason.Length == 0 ? "." : $": {request.Reason.TrimEnd('.')}.";
        string name = by.Name;
        RoomChange Say(string text) => new(target.PlayerId, target.Name, text);
        if (!isMember && request.Action is ModerationAction.Mute or ModerationAction.Kick or ModerationAction.SetRole)
        {
            return new RoomOutcome(ErrorCode.NotInRoom, $"{target.Name} is no member of this room. List its members to see who is.");
        }

        switch (request.Action)
        {
            case ModerationAction.Mute:
                return Commit(Say($"{target.Name} was muted{until} by {name}{reason}") with { MutedUntil = end });
            case ModerationAction.Unmute when known?.MutedUntil is not null:
                return Commit(Say($"{name} let {target.Name} speak again{reason}") with { MutedUntil = RoomChange.Lifted });
            case ModerationAction.Kick:
                return Commit(Say($"{target.Name} was removed by {name}{reason}") with
                {
                    Parting = $"{name} removed you from {room.Name}{reason}",
                });
            case ModerationAction.Ban:
                return Commit(Say($"{target.Name} was banned{until} by {name}{reason}") with
                {
                    Role = RoomMemberRole.None,
                    BannedUntil = end,
                    Parting = $"{name} banned you from {room.Name}{until}{reason}",
                });
            case ModerationAction.Unban when known?.BannedUntil is not null:
                return Commit(Say($"{name} lifted the ban of {target.Name}{reason}") with { BannedUntil = RoomChange.Lifted });
            case ModerationAction.Unmute or ModerationAction.Unban:
                return RoomOutcome.Forbidden(
                    $"{target.Name} is not muted or banned here, so there is nothing to take back. Name another player.");
            case ModerationAction.Invite:
                return Invite(by, target, isMember);
            default:
                return Commit(Say($"{name} made {target.Name} {Words(request.Role)}{reason}") with
                {
                    Role = RoomMemberRole.Member + (int)request.Role,
                });
        }
    }

    private static string Words(RoomRole role) => role switch
    {
        RoomRole.Owner => "an owner",
        RoomRole.Moderator => "a moderator",
        _ => "a member",
    };

    private RoomOutcome Invite(Member by, Member target, bool isMember)
    {
        if (!Register.IsLasting)
        {
            return RoomOutcome.Forbidden($"Rooms don't last on this server. Tell {target.Name} the number of the room: {room.Id}.");
        }

        if (isMember)
        {
            return new RoomOutcome(ErrorCode.AlreadyInRoom, $"{target.Name} is a member already. Invite another player.");
        }

        if (Register.Find(target.PlayerId)?.BannedUntil is { } end && end > services.Time.GetUtcNow())
        {
            return RoomOutcome.Forbidden($"{target.Name} is banned from this room. Lift the ban first.");
        }

        return Commit(new RoomChange(target.PlayerId, target.Name, $"{by.Name} invited {target.Name}.")
        {
            Role = RoomMemberRole.Member,
            Inviter = new RoomInviter(by.PlayerId, by.Name, by.Role, room.Name),
        });
    }

    private RoomOutcome Commit(RoomChange change)
    {
        (Task<bool> done, Task<bool> stored) = order.Commit(change);
        long player = change.IsOfPlayer || change.Parting is not null ? change.PlayerId : 0;
        return new RoomOutcome(ErrorCode.None, change.Text, player, Done: done, Stored: stored);
    }

    /// <summary>The player that a request is about, as a member is shown; the caller's own.</summary>
    private Member? FindTarget(CModerateReq request, Account? account)
    {
        long id = account?.Id ?? request.PlayerId;
        string? name = account?.Name ?? room.FindPlayer(id)?.Shown.Name ?? Register.Find(id)?.PlayerName;
        return name is null ? null : new Member { PlayerId = id, Name = name, Role = Register.RoleOf(id) };
    }
}
