namespace PlayChat.Core.Hosting;

/// <summary>One attempt of a <see cref="ReconnectingConnection"/> to return after a break.</summary>
/// <param name="Number">From 1 on, for each break anew.</param>
/// <param name="Delay">The wait before this attempt.</param>
/// <param name="Reason">
/// Why the connection broke: the same for all attempts after one break. <see cref="CloseReason.ServerShutdown"/> when the server has
/// said that it is about to come back (<see cref="ReconnectingConnection.ExpectClose"/>).
/// </param>
/// <param name="Message">The server's sentence before it closed; <see langword="null"/> without one.</param>
public sealed record ReconnectAttempt(int Number, TimeSpan Delay, CloseReason Reason, string? Message);
