namespace PlayChat.Core.Dispatch;

/// <summary>
/// A new handler for each message, in a scope of its own of the server's services: for handlers that use scoped services.
/// </summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class ScopedAttribute : Attribute;
