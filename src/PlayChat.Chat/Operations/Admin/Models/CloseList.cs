namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>The newest ends of connections, and how many ended for each reason.</summary>
/// <param name="Items">The newest first.</param>
/// <param name="Kept">How many the server still remembers, at most 1,000.</param>
/// <param name="Totals">Ends since the start by reason, without reasons that never occurred.</param>
internal sealed record CloseList(
    IReadOnlyList<CloseRecord> Items,
    int Kept,
    IReadOnlyDictionary<string, long> Totals);
