namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A setting of the server.</summary>
/// <param name="Key">Its key in the configuration.</param>
/// <param name="Value">The value in effect.</param>
/// <param name="Default">Its default.</param>
/// <param name="Description">What it means.</param>
/// <param name="Allowed">Which values it takes.</param>
/// <param name="IsChangeable">Whether it can be changed while the server runs; other settings need a restart.</param>
internal sealed record LimitInfo(
    string Key,
    string Value,
    string Default,
    string Description,
    string Allowed,
    bool IsChangeable);
