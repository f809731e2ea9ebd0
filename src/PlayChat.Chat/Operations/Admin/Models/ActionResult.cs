namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>What an action has done.</summary>
/// <param name="Message">One sentence.</param>
/// <param name="Affected">How many sessions, or other objects, it has reached.</param>
internal sealed record ActionResult(
    string Message,
    long Affected);
