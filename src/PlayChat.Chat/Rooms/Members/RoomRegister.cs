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
    private readonly Dictionary<long, RoomMembership> _known;
    private readonly Dictionary<string, long> _ids = new(StringComparer.Ordinal); // members by the keys of their names

    /// <param name="roomId">The room.</param>
    /// <param name="kind">Its kind.</param>
    /// <param name="services">What all rooms have in common.</param>
    /// <param name="stored">What the store has of its players.</param>
    public RoomRegister(long roomId, RoomKind kind, ChatRoomServices services, IReadOnlyList<RoomMembership> stored)
    {
        _roomId = roomId;
        _kind = kind;
        _services = services;
        _known = stored.ToDictionary(static known => known.PlayerId);
        foreach (RoomMembership member in stored.Where(static known => known.IsMember))
        {
            _ids[AccountName.GetKey(member.PlayerName)] = member.PlayerId;
        }
    }

    /// <summary>Whether memberships last.</summary>
    public bool IsLasting => _services.RoomsLast;

    /// <summary>How many players it knows.</summary>
    public int Count => _known.Count;

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
    /// <param name="playerId">The player.</param>
    /// <param name="wait">For how long.</param>
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
    /// <param name="read">The room's newest message, which a new member need not read.</param>
    public void Enter(Member who, long read)
    {
        if (IsLasting && Find(who.PlayerId) is not { IsMember: true })
        {
            Set(Grow(who.PlayerId, who.Name, RoleOf(who.PlayerId)) with { ReadSequence = read });
        }
    }

    /// <summary>Makes a player a member with a role, which keeps what else is known of it.</summary>
    public RoomMembership Grow(long playerId, string name, RoomRole role) =>
        (Find(playerId) ?? new RoomMembership(_roomId, playerId, name, RoomMemberRole.None)) with
        {
            PlayerName = name,
            Role = RoomMemberRole.Member + (int)role,
        };

    /// <summary>Takes over a change.</summary>
    public void Set(RoomMembership changed)
    {
        _known[changed.PlayerId] = changed;
        string key = AccountName.GetKey(changed.PlayerName);
        if (changed.IsMember)
        {
            _ids[key] = changed.PlayerId;
        }
        else
        {
            _ids.Remove(key);
        }

        _services.Archive.Memberships.Save(changed);
    }

    /// <summary>A player is no member any more. A ban and a mute stay.</summary>
    public void Remove(long playerId)
    {
        if (Find(playerId) is not { IsMember: true } known)
        {
            return;
        }

        if (known.BannedUntil is not null || known.MutedUntil is not null)
        {
            Set(known with { Role = RoomMemberRole.None });
            return;
        }

        _known.Remove(playerId);
        _ids.Remove(AccountName.GetKey(known.PlayerName));
        _services.Archive.Memberships.Remove(_roomId, playerId);
    }

    /// <summary>A member has read the room up to a message.</summary>
    public void NoteRead(long playerId, long sequence)
    {
        if (IsLasting && Find(playerId) is { IsMember: true } member && sequence > member.ReadSequence)
        {
            NoteMark(member with { ReadSequence = sequence, UnreadMentions = 0 });
        }
    }

    /// <summary>Counts the members that a text mentions as @NAME, ten at most.</summary>
    public void NoteMentions(long senderId, string text)
    {
        if (!IsLasting || !text.Contains('@', StringComparison.Ordinal))
        {
            return;
        }

        HashSet<long> mentioned = [];
        foreach (string name in ModerationTerms.MentionsIn(text))
        {
            if (FindMember(name) is { } member && member.PlayerId != senderId && mentioned.Add(member.PlayerId))
            {
                NoteMark(member with { UnreadMentions = member.UnreadMentions + 1 });
            }
        }
    }

    private void NoteMark(RoomMembership member)
    {
        _known[member.PlayerId] = member;
        _services.Archive.Memberships.SaveSoon(member);
    }
}
