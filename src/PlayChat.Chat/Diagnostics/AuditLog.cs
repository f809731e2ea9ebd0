using System.Collections.Frozen;

namespace PlayChat.Chat.Diagnostics;

/// <summary>Log messages that say who did what to others: operators, moderators and players that report. Event ids as in
/// <see cref="ServerLog"/>.</summary>
/// <remarks>No line is left out: many of one source must not hide the one that matters. Each costs a request that is limited.</remarks>
internal static partial class AuditLog
{
    private const string AdminActionText = "{Who} at {Address} requested {Method} {Path}: {Outcome}";

    private const string ModeratedText =
        "Player {PlayerId} on connection {ConnectionId} did {Action} to player {TargetId} in room {RoomId}: {What}";

    private const string RoomModeratedText = "Player {PlayerId} on connection {ConnectionId} did {Action} in room {RoomId}: {What}";

    private const string MessageDeletedText =
        "Player {PlayerId} on connection {ConnectionId} deleted message {Sequence} of player {AuthorId} in room {RoomId}.";

    private const string ReportedText =
        "Player {PlayerId} on connection {ConnectionId} reported message {Sequence} of player {AuthorId} in room {RoomId}: report "
            + "{ReportId}.";

    private const string ReportResolvedText =
        "Player {PlayerId} on connection {ConnectionId} resolved report {ReportId} of room {RoomId}.";

    private static readonly FrozenSet<string> s_texts = FrozenSet.ToFrozenSet(
        [AdminActionText, ModeratedText, RoomModeratedText, MessageDeletedText, ReportedText, ReportResolvedText], StringComparer.Ordinal);

    /// <summary>Whether a line with this template belongs to the audit log.</summary>
    public static bool Has(string template) => s_texts.Contains(template);

    [LoggerMessage(2160, LogLevel.Information, AdminActionText)]
    public static partial void AdminAction(ILogger logger, string who, IPAddress? address, string method, string path, string outcome);

    /// <param name="logger">The handler's.</param>
    /// <param name="playerId">The moderator.</param>
    /// <param name="connectionId">Its connection.</param>
    /// <param name="action">What it has asked for.</param>
    /// <param name="targetId">The player that it is about.</param>
    /// <param name="roomId">The room.</param>
    /// <param name="what">The sentence that the members hear: it has role, time and reason.</param>
    [LoggerMessage(2167, LogLevel.Information, ModeratedText)]
    public static partial void Moderated(
        ILogger logger, long playerId, long connectionId, ModerationAction action, long targetId, long roomId, string what);

    /// <inheritdoc cref="Moderated"/>
    [LoggerMessage(2173, LogLevel.Information, RoomModeratedText)]
    public static partial void RoomModerated(
        ILogger logger, long playerId, long connectionId, ModerationAction action, long roomId, string what);

    [LoggerMessage(2174, LogLevel.Information, MessageDeletedText)]
    public static partial void MessageDeleted(
        ILogger logger, long playerId, long connectionId, long sequence, long authorId, long roomId);

    [LoggerMessage(2170, LogLevel.Information, ReportedText)]
    public static partial void Reported(
        ILogger logger, long playerId, long connectionId, long sequence, long authorId, long roomId, long reportId);

    [LoggerMessage(2171, LogLevel.Information, ReportResolvedText)]
    public static partial void ReportResolved(ILogger logger, long playerId, long connectionId, long reportId, long roomId);
}
