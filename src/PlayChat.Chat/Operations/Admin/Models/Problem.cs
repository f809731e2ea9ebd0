namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Why a request failed (RFC 9457), and what to do.</summary>
internal sealed record Problem(
    string Title,
    int Status,
    string Detail);
