namespace PlayChat.Storage.Sql;

[method: ExplicitConstructor]
internal sealed record RoomMemberRow(
    long RoomId, long PlayerId, string PlayerName, RoomMemberRole Role, long ReadSequence, int UnreadMentions, StoredTime? MutedUntil,
    StoredTime? BannedUntil)
{
    public RoomMembership ToMembership() =>
        new(RoomId, PlayerId, PlayerName, Role, ReadSequence, UnreadMentions, MutedUntil?.Value, BannedUntil?.Value);
}
