namespace PlayChat.Chat.Diagnostics;

/// <summary>Log messages about what operators, moderators and players that report do to others. Event ids as in
/// <see cref="ServerLog"/>.</summary>
/// <remarks>No line is left out: many of one source must not hide the one that matters. What a
/// moderator did is told as the members hear it, with role, time and reason.</remarks>
internal static partial class AuditLog
{
    /// <summary>Whether an event with this name belongs to the audit log.</summary>
    public static bool Has(string name) => name
        is nameof(AdminAction) or nameof(Moderated) or nameof(RoomModerated) or nameof(MessageDeleted) or nameof(Reported)
        or nameof(ReportResolved);

    [LoggerMessage(2160, LogLevel.Information, "{Who} at {Address} requested {Method} {Path}: {Outcome}")]
    public static partial void AdminAction(ILogger logger, string who, IPAddress? address, string method, string path, string outcome);

    [LoggerMessage(
        2167, LogLevel.Information,
        "Player {PlayerId} on connection {ConnectionId} did {Action} to player {TargetId} in room {RoomId}: {What}")]
    public static partial void Moderated(
        ILogger logger, long playerId, long connectionId, ModerationAction action, long targetId, long roomId, string what);

    [LoggerMessage(
        2173, LogLevel.Information, "Player {PlayerId} on connection {ConnectionId} did {Action} in room {RoomId}: {What}")]
    public static partial void RoomModerated(
        ILogger logger, long playerId, long connectionId, ModerationAction action, long roomId, string what);

    [LoggerMessage(
        2174, LogLevel.Information,
        "Player {PlayerId} on connection {ConnectionId} deleted message {Sequence} of player {AuthorId} in room {RoomId}.")]
    public static partial void MessageDeleted(
        ILogger logger, long playerId, long connectionId, long sequence, long authorId, long roomId);

    [LoggerMessage(
        2170, LogLevel.Information,
        "Player {PlayerId} on connection {ConnectionId} reported message {Sequence} of player {AuthorId} in room {RoomId}: report "
            + "{ReportId}.")]
    public static partial void Reported(
        ILogger logger, long playerId, long connectionId, long sequence, long authorId, long roomId, long reportId);

    [LoggerMessage(
        2171, LogLevel.Information, "Player {PlayerId} on connection {ConnectionId} resolved report {ReportId} of room {RoomId}.")]
    public static partial void ReportResolved(ILogger logger, long playerId, long connectionId, long reportId, long roomId);
}
