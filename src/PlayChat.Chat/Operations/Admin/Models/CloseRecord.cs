namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A connection that has ended.</summary>
internal sealed record CloseRecord(
    DateTimeOffset At,
    long ConnectionId,
    long SessionId,
    string? UserName, // null before a login
    string? Address,
    string Reason, // such as SlowConsumer
    string Explanation, // what the reason means and what to look at
    double AgeSeconds, // how long the connection was open
    long QueuedBytes, // still waited to be sent, and were dropped
    long BytesReceived,
    long BytesSent);
