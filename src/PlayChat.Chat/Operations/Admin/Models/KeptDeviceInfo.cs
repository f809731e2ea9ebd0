namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A device that stays logged in.</summary>
/// <param name="Since">When it logged in by a password.</param>
/// <param name="LastLogin">Its last login.</param>
/// <param name="ClientVersion">The client's program and version.</param>
internal sealed record KeptDeviceInfo(DateTimeOffset Since, DateTimeOffset LastLogin, string ClientVersion);
