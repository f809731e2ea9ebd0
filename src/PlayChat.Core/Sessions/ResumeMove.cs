namespace PlayChat.Core.Sessions;

/// <summary>A session that the <see cref="ResumeTable"/> has moved to another connection.</summary>
/// <param name="Session">The session.</param>
/// <param name="Token">Its next token.</param>
/// <param name="Former">The connection that it had.</param>
/// <param name="IsRetry">Whether the token was used before, so that the client may not know of <paramref name="Former"/>.</param>
/// <param name="IsRestored">As <see cref="Resumption.IsRestored"/>.</param>
/// <param name="Own">The new connection's own session, which has ended.</param>
/// <param name="Attachments">The attachments that must learn of its end.</param>
internal sealed record ResumeMove(
    Session Session, byte[] Token, Connection Former, bool IsRetry, bool IsRestored, Session Own, ISessionAttachment[] Attachments);
