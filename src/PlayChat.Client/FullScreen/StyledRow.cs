namespace PlayChat.Client.FullScreen;

/// <summary>One row of a conversation.</summary>
/// <param name="Parts">The texts from left to right, and how each looks.</param>
internal sealed record StyledRow(IReadOnlyList<(string Text, Paint Paint)> Parts);
