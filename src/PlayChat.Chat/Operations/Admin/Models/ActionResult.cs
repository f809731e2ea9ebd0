namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>What an action has done.</summary>
internal sealed record ActionResult(
    string Message, // one sentence
    long Affected); // how many sessions, or other objects, it has reached
