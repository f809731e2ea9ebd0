namespace PlayChat.Generators.Tests.Game;

/// <summary>The answer of a room.</summary>
internal sealed record Sight(string Text);
