namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Tells something to players.</summary>
internal sealed record NoticeRequest(
    string? Message); // 1 to 500 characters, without line breaks
