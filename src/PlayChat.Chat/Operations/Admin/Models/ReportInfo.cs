namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A player's report of a message.</summary>
internal sealed record ReportInfo(
    long Id,
    long RoomId,
    string RoomName, // when it was reported
    long Sequence,
    string ReporterName,
    string Reason,
    DateTimeOffset ReportedAt,
    IReadOnlyList<MessageInfo> Messages); // it and at most 5 on each side as they were then; none in the export of an account
