namespace PlayChat.Client.Interaction;

/// <summary>One line to show. Whoever shows it makes the texts harmless: they may come from others.</summary>
/// <param name="Kind">What it is about.</param>
/// <param name="Text">What it says.</param>
/// <param name="Speaker">Who says it.</param>
/// <param name="At">When, in local time.</param>
internal sealed record ScreenLine(LineKind Kind, string Text, string? Speaker = null, DateTimeOffset? At = null);
