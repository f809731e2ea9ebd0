namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A player's report of a message.</summary>
/// <param name="Id">The report's id.</param>
/// <param name="RoomId">The room's id.</param>
/// <param name="RoomName">The room's name when it was reported.</param>
/// <param name="Sequence">The message's place in the room.</param>
/// <param name="ReporterName">The name of the reporter.</param>
/// <param name="Reason">Why.</param>
/// <param name="ReportedAt">When.</param>
/// <param name="Messages">The message and at most 5 on each side as they were then, oldest first; none in the export of an
/// account.</param>
internal sealed record ReportInfo(
    long Id,
    long RoomId,
    string RoomName,
    long Sequence,
    string ReporterName,
    string Reason,
    DateTimeOffset ReportedAt,
    IReadOnlyList<MessageInfo> Messages);
