using System.Text.Json;

namespace PlayChat.Chat.Rooms.Members;

/// <summary>What a moderator changes about a player or a room. Immutable; the log of a cluster has it as text.</summary>
/// <remarks>It says only what changes: two moderators on two nodes may change different things at once.</remarks>
/// <param name="PlayerId">The player that it is about; of a change of the room, the moderator.</param>
/// <param name="Name">That player's name.</param>
/// <param name="Text">What the members hear.</param>
internal sealed record RoomChange(long PlayerId, string Name, string Text)
{
    /// <summary>The time that takes a mute or a ban back.</summary>
    public static readonly DateTimeOffset Lifted = DateTimeOffset.MinValue;

    /// <summary>The role from now on; <see langword="null"/> for the one that it has.</summary>
    public RoomMemberRole? Role { get; init; }

    /// <summary>Until when it is muted, or <see cref="Lifted"/>.</summary>
    public DateTimeOffset? MutedUntil { get; init; }

    /// <summary>Until when it is banned, or <see cref="Lifted"/>.</summary>
    public DateTimeOffset? BannedUntil { get; init; }

    /// <summary>Of a player that is taken out, what it hears itself.</summary>
    public string? Parting { get; init; }

    /// <summary>The player that invites this one.</summary>
    public RoomInviter? Inviter { get; init; }

    public string? Topic { get; init; }

    /// <inheritdoc cref="RoomKind.SlowSeconds"/>
    public uint? SlowSeconds { get; init; }

    /// <inheritdoc cref="RoomKind.Capacity"/>
    public uint? Capacity { get; init; }

    /// <summary>The hash of another password; empty for none.</summary>
    public string? PasswordHash { get; init; }

    /// <inheritdoc cref="RoomKind.IsLocked"/>
    public bool? IsLocked { get; init; }

    public bool Ends { get; init; }

    /// <summary>Whether it changes what the register knows of the player.</summary>
    public bool IsOfPlayer => Role is not null || MutedUntil is not null || BannedUntil is not null;

    /// <summary>Whether it changes the room's terms.</summary>
    public bool IsOfRoom =>
        Topic is not null || SlowSeconds is not null || Capacity is not null || PasswordHash is not null || IsLocked is not null;

    /// <summary>What the room is after it.</summary>
    public RoomKind ApplyTo(RoomKind kind) => kind with
    {
        Topic = Topic ?? kind.Topic,
        SlowSeconds = SlowSeconds ?? kind.SlowSeconds,
        Capacity = Capacity ?? kind.Capacity,
        PasswordHash = PasswordHash is null ? kind.PasswordHash : PasswordHash.Length == 0 ? null : PasswordHash,
        IsLocked = IsLocked ?? kind.IsLocked,
    };

    /// <summary>What is known of the player after it.</summary>
    public RoomMembership ApplyTo(RoomMembership known) => known with
    {
        PlayerName = Name,
        Role = Role ?? known.Role,
        MutedUntil = Until(MutedUntil, known.MutedUntil),
        BannedUntil = Until(BannedUntil, known.BannedUntil),
    };

    /// <summary>What an invited player hears. It need not read the room up to a sequence.</summary>
    public SInvitedNtf ToInvitation(long roomId, long readSequence) => new()
    {
        Membership = new Membership
        {
            RoomId = roomId,
            Name = Inviter!.RoomName,
            Role = RoomRole.Member,
            ReadSequence = readSequence,
        },
        By = new Member { PlayerId = Inviter.PlayerId, Name = Inviter.Name, Role = Inviter.Role },
    };

    public string ToText() => JsonSerializer.Serialize(this);

    /// <summary>Reads what <see cref="ToText"/> wrote.</summary>
    /// <exception cref="JsonException">The text is something else.</exception>
    public static RoomChange Parse(string text) =>
        JsonSerializer.Deserialize<RoomChange>(text) ?? throw new JsonException("A change of a room is empty.");

    private static DateTimeOffset? Until(DateTimeOffset? changed, DateTimeOffset? known) =>
        changed is null ? known : changed == Lifted ? null : changed;
}
