namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Something that needs an operator.</summary>
internal sealed record Warning(
    string Level, // warning or critical
    string Code, // a stable name, such as slow-consumers
    string Message); // what is wrong and what to do
