namespace PlayChat.Storage.Sql;

/// <summary>A row of the table room_member.</summary>
internal sealed class RoomMemberRow
{
    public long RoomId { get; set; }

    public long PlayerId { get; set; }

    public string PlayerName { get; set; } = "";

    public RoomMemberRole Role { get; set; }

    public long ReadSequence { get; set; }

    public int UnreadMentions { get; set; }

    public StoredTime? MutedUntil { get; set; }

    public StoredTime? BannedUntil { get; set; }

    public RoomMembership ToMembership() =>
        new(RoomId, PlayerId, PlayerName, Role, ReadSequence, UnreadMentions, MutedUntil?.Value, BannedUntil?.Value);
}
