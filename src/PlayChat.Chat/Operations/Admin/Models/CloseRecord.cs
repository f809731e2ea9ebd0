namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A connection that has ended.</summary>
/// <param name="At">When, in UTC.</param>
/// <param name="ConnectionId">The connection.</param>
/// <param name="SessionId">Its session.</param>
/// <param name="UserName">The player; null before a login.</param>
/// <param name="Address">The peer's address.</param>
/// <param name="Reason">The close reason, such as SlowConsumer.</param>
/// <param name="Explanation">What the reason means and what to look at.</param>
/// <param name="AgeSeconds">How long the connection was open.</param>
/// <param name="QueuedBytes">Bytes that still waited to be sent, and were dropped.</param>
/// <param name="BytesReceived">Bytes received on it.</param>
/// <param name="BytesSent">Bytes sent on it.</param>
internal sealed record CloseRecord(
    DateTimeOffset At,
    long ConnectionId,
    long SessionId,
    string? UserName,
    string? Address,
    string Reason,
    string Explanation,
    double AgeSeconds,
    long QueuedBytes,
    long BytesReceived,
    long BytesSent);
