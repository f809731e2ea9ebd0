namespace PlayChat.Storage;

/// <summary>A player that another player has blocked.</summary>
/// <param name="Id">Its account.</param>
/// <param name="Name">Its name when it was blocked.</param>
/// <param name="At">When it was blocked; cut to the microsecond.</param>
public sealed record BlockedPlayer(long Id, string Name, DateTimeOffset At);
