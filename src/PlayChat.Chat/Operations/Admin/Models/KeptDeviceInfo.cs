namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>A device that stays logged in since a login by password.</summary>
internal sealed record KeptDeviceInfo(DateTimeOffset Since, DateTimeOffset LastLogin, string ClientVersion);
