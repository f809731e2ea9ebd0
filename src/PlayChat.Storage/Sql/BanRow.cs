namespace PlayChat.Storage.Sql;

[method: ExplicitConstructor]
internal sealed record BanRow(BanKind Kind, string Subject, string Reason, StoredTime CreatedAt, StoredTime? ExpiresAt)
{
    public Ban ToBan() => new(BanSubject.Of(Kind, Subject), Reason, CreatedAt.Value, ExpiresAt?.Value);
}
