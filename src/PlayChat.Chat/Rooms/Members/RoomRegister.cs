using PlayChat.Chat.Accounts;

namespace PlayChat.Chat.Rooms.Members;

/// <summary>
/// What a room knows of players beyond their sessions: roles, mutes, bans, and where rooms last its members and what they have read. For
/// the room's turn alone.
/// </summary>
/// <remarks>Where rooms last, every member is in it and each change goes to the store. Elsewhere it has only players that differ from the
/// others.</remarks>
internal sealed class RoomRegister
{
    private readonly long _roomId;
    private readonly RoomKind _kind;
    private readonly ChatRoomServices _services;
    private readonly Dictionary<long, RoomMembership> _known = [];
    private readonly Dictionary<string, long> _ids = new(StringComparer.Ordinal); // members by the keys of their names

    public RoomRegister(long roomId, RoomKind kind, ChatRoomServices services, IReadOnlyList<RoomMembership> stored)
    {
        _roomId = roomId;
        _kind = kind;
        _services = services;
        Reload(stored);
    }

    /// <summary>Whether memberships last.</summary>
    public bool IsLasting => _services.RoomsLast;

    /// <summary>How many players it keeps: members, and those that are banned or muted.</summary>
    public int Count => _known.Values.Count(IsKept);

    /// <summary>Whether a player is one of them.</summary>
    public bool Keeps(long playerId) => Find(playerId) is { } known && IsKept(known);

    /// <summary>The members that it knows, by rising player id.</summary>
    public IEnumerable<RoomMembership> Members =>
        _known.Values.Where(static known => known.IsMember).OrderBy(static member => member.PlayerId);

    /// <summary>What it knows of a player; <see langword="null"/> for nothing.</summary>
    public RoomMembership? Find(long playerId) => _known.GetValueOrDefault(playerId);

    /// <summary>The member of a name, whatever its case.</summary>
    public RoomMembership? FindMember(string name) =>
        AccountName.TryGetKey(name, out string? key) && _ids.TryGetValue(key, out long id) ? Find(id) : null;

    /// <summary>What a player may do. The creator owns the room, unless it was given another role.</summary>
    public RoomRole RoleOf(long playerId) =>
        Find(playerId) is { IsMember: true } known ? RoleOf(known)
        : playerId == _kind.CreatorId && playerId != 0 ? RoomRole.Owner
        : RoomRole.Member;

    /// <summary>The role of a member as clients see it.</summary>
    public static RoomRole RoleOf(RoomMembership member) => (RoomRole)(member.Role - RoomMemberRole.Member);

    /// <summary>Lists members after a player, by their ids: where rooms don't last, those that are connected.</summary>
    public SListMembersRes List(IEnumerable<Member> connected, long after, int limit)
    {
        Dictionary<long, Member> online = connected.ToDictionary(static member => member.PlayerId);
        IEnumerable<Member> next = IsLasting
            ? Members.Where(known => known.PlayerId > after)
                .Select(known => new Member { PlayerId = known.PlayerId, Name = known.PlayerName, Role = RoleOf(known.PlayerId) })
            : online.Values.Where(member => member.PlayerId > after).OrderBy(static member => member.PlayerId);
        ListedMember[] listed =
        [
            .. next.Take(limit + 1).Select(member => new ListedMember
            {
                Member = member,
                Online = online.ContainsKey(member.PlayerId),
                MutedUntilUnixMs = Find(member.PlayerId)?.MutedUntil?.ToUnixTimeMilliseconds() ?? 0,
            }),
        ];
        return new SListMembersRes { RoomId = _roomId, Members = { listed.Take(limit) }, More = listed.Length > limit };
    }

    /// <summary>Whether a player is a member, or made the room: then lock and password don't keep it out.</summary>
    public bool IsAtHome(long playerId) => Find(playerId) is { IsMember: true } || (playerId == _kind.CreatorId && playerId != 0);

    /// <summary>Why a player may not enter: a sentence; <see langword="null"/> when it may.</summary>
    public string? FindBar(long playerId)
    {
        RoomMembership? known = Find(playerId);
        return known?.BannedUntil is { } end && end > _services.Time.GetUtcNow()
                ? $"You are banned from this room{ModerationTerms.Until(end)}. Join another room, or ask a moderator of this one."
            : known is { IsMember: true } || !IsLasting || playerId == _kind.CreatorId ? null
            : _kind.IsPrivate ? "This room is private. Ask one of its moderators to invite you."
            : _ids.Count >= _services.Settings.MaxLastingMembers
                ? $"This room has {_ids.Count} members, the most that a room may have, those that are offline included. Join another room."
            : null;
    }

    /// <summary>Why a player may not speak: a sentence; <see langword="null"/> when it may.</summary>
    public string? FindMute(long playerId, out TimeSpan wait)
    {
        if (Find(playerId)?.MutedUntil is { } end && _services.Time.GetUtcNow() is var now && end > now)
        {
            wait = BanTerms.RetryAfter(end, now);
            return $"You are muted in this room{ModerationTerms.Until(end)}. Wait, or ask a moderator.";
        }

        wait = default;
        return null;
    }

    /// <summary>A player has entered: where rooms last, it is a member from now on.</summary>
    /// <param name="who">The player.</param>
    /// <param name="latest">The room's newest message, which a new member need not read.</param>
    /// <param name="stores">Whether this server stores it; in a cluster another one may.</param>
    public void Enter(Member who, long latest, bool stores)
    {
        if (IsLasting && Find(who.PlayerId) is not { IsMember: true })
        {
            RoomMembership known = Find(who.PlayerId) ?? new RoomMembership(_roomId, who.PlayerId, who.Name, RoomMemberRole.None);
            Set(known with { PlayerName = who.Name, Role = RoomMemberRole.Member + (int)RoleOf(who.PlayerId) }, latest, stores);
        }
    }

    /// <summary>Takes over what a moderator has changed about a player.</summary>
    /// <inheritdoc cref="Enter"/>
    public void Apply(RoomChange change, long latest, bool stores)
    {
        if (change.IsOfPlayer)
        {
            RoomMembership known = Find(change.PlayerId)
                ?? new RoomMembership(_roomId, change.PlayerId, change.Name, RoomMemberRole.Member);
            Set(change.ApplyTo(known), latest, stores);
        }

        if (change.Parting is not null)
        {
            Remove(change.PlayerId, stores);
        }

        foreach (RoomMembership over in _known.Values.Where(known => !IsKept(known)).ToArray())
        {
            // Another node of a cluster may have stored something of another player that this one has not read yet.
            Forget(over.PlayerId, stores && (over.PlayerId == change.PlayerId || !_services.IsCluster));
        }
    }

    /// <summary>A player is no member any more. A ban and a mute stay.</summary>
    public void Remove(long playerId, bool stores)
    {
        if (Find(playerId) is not { IsMember: true } known)
        {
            return;
        }

        RoomMembership former = known with { Role = RoomMemberRole.None };
        if (IsKept(former))
        {
            Set(former, known.ReadSequence, stores);
            return;
        }

        _ids.Remove(AccountName.GetKey(known.PlayerName));
        Forget(playerId, stores);
    }

    /// <summary>Stores what of these players differs from what the store has.</summary>
    public void StoreMissing(IReadOnlyCollection<long> players, IReadOnlyList<RoomMembership> stored)
    {
        Dictionary<long, RoomMembership> before = stored.ToDictionary(static known => known.PlayerId);
        foreach (long player in players)
        {
            RoomMembership? old = before.GetValueOrDefault(player);
            if (Find(player) is not { } known)
            {
                if (old is not null)
                {
                    _services.Archive.Memberships.Remove(_roomId, player);
                }
            }
            else if (old is null || (old.Role, old.MutedUntil, old.BannedUntil) != (known.Role, known.MutedUntil, known.BannedUntil))
            {
                _services.Archive.Memberships.Save(known);
            }
        }
    }

    /// <summary>Replaces everything by what the store has.</summary>
    public void Reload(IReadOnlyList<RoomMembership> stored)
    {
        _known.Clear();
        _ids.Clear();
        foreach (RoomMembership known in stored)
        {
            Know(known);
        }
    }

    /// <summary>A member has read the room up to a message.</summary>
    /// <returns>What is kept of the member now; <see langword="null"/> when nothing changed.</returns>
    public RoomMembership? NoteRead(long playerId, long sequence, bool stores)
    {
        if (!IsLasting || Find(playerId) is not { IsMember: true } member || sequence <= member.ReadSequence)
        {
            return null;
        }

        RoomMembership read = _known[playerId] = member with { ReadSequence = sequence };
        if (stores)
        {
            _services.Archive.Memberships.SaveMark(read);
        }

        return read;
    }

    /// <summary>Has the store count the members that a text mentions as @NAME, ten at most.</summary>
    public void NoteMentions(string text, long senderId, long sequence)
    {
        if (!IsLasting || !text.Contains('@', StringComparison.Ordinal))
        {
            return;
        }

        foreach (long id in ModerationTerms.MentionsIn(text, FindMember).Select(static member => member.PlayerId).Distinct())
        {
            if (id != senderId)
            {
                _services.Archive.Memberships.AddMention(new RoomMention(_roomId, id, sequence, senderId));
            }
        }
    }

    /// <summary>Whether there is something to know of a player. A ban or mute that was lifted or has ended is nothing.</summary>
    private bool IsKept(RoomMembership known) =>
        known.IsMember || (_services.Time.GetUtcNow() is var now && (known.BannedUntil > now || known.MutedUntil > now));

    private void Forget(long playerId, bool stores)
    {
        _known.Remove(playerId);
        if (stores)
        {
            _services.Archive.Memberships.Remove(_roomId, playerId);
        }
    }

    private void Set(RoomMembership changed, long latest, bool stores)
    {
        bool isNew = changed.IsMember && Find(changed.PlayerId) is not { IsMember: true };
        changed = isNew ? changed with { ReadSequence = latest } : changed;
        Know(changed);
        if (stores)
        {
            _services.Archive.Memberships.Save(changed);
            if (isNew && IsLasting)
            {
                _services.Archive.Memberships.SaveMark(changed); // a muted or banned player has an older one
            }
        }
    }

    private void Know(RoomMembership known)
    {
        _known[known.PlayerId] = known;
        string key = AccountName.GetKey(known.PlayerName);
        if (known.IsMember)
        {
            _ids[key] = known.PlayerId;
        }
        else
        {
            _ids.Remove(key);
        }
    }
}
