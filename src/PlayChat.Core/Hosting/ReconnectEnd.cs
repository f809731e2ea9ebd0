namespace PlayChat.Core.Hosting;

/// <summary>Why a <see cref="ReconnectingConnection"/> ended.</summary>
/// <param name="Reason">
/// The reason of the last connection; after attempts that were given up, the reason of the break before them.
/// <see cref="CloseReason.LocalClose"/> when this side closed.
/// </param>
/// <param name="Message">The server's sentence before it closed; <see langword="null"/> without one.</param>
/// <param name="Error">The exception of the last attempt to return; <see langword="null"/> when no attempt was the end.</param>
public sealed record ReconnectEnd(CloseReason Reason, string? Message, Exception? Error);
