namespace PlayChat.Core.Tests.Dispatch;

/// <summary>A service that a handler asks for.</summary>
internal sealed record Greeting(string Text);
