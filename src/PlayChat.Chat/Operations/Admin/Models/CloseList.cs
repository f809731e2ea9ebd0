namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>The newest ends of connections, and how many ended for each reason.</summary>
internal sealed record CloseList(
    IReadOnlyList<CloseRecord> Items, // the newest first
    int Kept, // how many the server still remembers, at most 1,000
    IReadOnlyDictionary<string, long> Totals); // since the start by reason, without reasons that never occurred
