namespace PlayChat.Storage;

/// <summary>A player's report of a message, with copies of what was said around it.</summary>
/// <param name="RoomId">The room.</param>
/// <param name="RoomName">Its name.</param>
/// <param name="Sequence">The message.</param>
/// <param name="ReporterId">The player that reports.</param>
/// <param name="ReporterName">The reporter's name.</param>
/// <param name="Reason">Why; empty when the reporter's texts were erased.</param>
/// <param name="ReportedAt">When.</param>
/// <param name="Lines">The message and its neighbours as they were then, oldest first; of the reports of one player, none.</param>
/// <param name="Id">The report's id; 0 for a new one.</param>
public sealed record MessageReport(
    long RoomId,
    string RoomName,
    long Sequence,
    long ReporterId,
    string ReporterName,
    string Reason,
    DateTimeOffset ReportedAt,
    IReadOnlyList<ChatRecord> Lines,
    long Id = 0);
