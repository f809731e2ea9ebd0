namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Tells something to players.</summary>
/// <param name="Message">One to 500 characters, without line breaks.</param>
internal sealed record NoticeRequest(
    string? Message);
