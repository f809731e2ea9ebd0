namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Something that needs an operator.</summary>
/// <param name="Level">warning or critical.</param>
/// <param name="Code">A stable name, such as slow-consumers.</param>
/// <param name="Message">What is wrong and what to do.</param>
internal sealed record Warning(
    string Level,
    string Code,
    string Message);
