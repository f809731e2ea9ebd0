namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A setting of the server.</summary>
internal sealed record LimitInfo(
    string Key,
    string Value, // in effect
    string Default,
    string Description,
    string Allowed,
    bool IsChangeable); // while the server runs; other settings need a restart
