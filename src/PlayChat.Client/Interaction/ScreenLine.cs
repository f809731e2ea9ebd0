namespace PlayChat.Client.Interaction;

/// <summary>One line to show. The user interface makes its texts harmless first: other players may have written them.</summary>
/// <param name="At">When, in local time.</param>
/// <param name="IsMention">It names the user.</param>
internal sealed record ScreenLine(LineKind Kind, string Text, string? Speaker = null, DateTimeOffset? At = null, bool IsMention = false);
