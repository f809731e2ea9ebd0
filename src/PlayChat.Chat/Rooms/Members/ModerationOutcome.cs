namespace PlayChat.Chat.Rooms.Members;

/// <summary>What a room answers to a request that moderates it or changes a message.</summary>
/// <param name="Code">Why it was refused; <see cref="ErrorCode.None"/> when it was not.</param>
/// <param name="Message">A sentence that says what to do.</param>
/// <param name="PlayerId">The player that it was about.</param>
/// <param name="Committed">Completes when it counts; with <see langword="false"/> when the cluster did not take it.</param>
internal readonly record struct ModerationOutcome(ErrorCode Code, string Message, long PlayerId = 0, Task<bool>? Committed = null)
{
    public static ModerationOutcome Done(long playerId, Task<bool>? committed = null) => new(ErrorCode.None, "", playerId, committed);

    public static ModerationOutcome Forbidden(string message) => new(ErrorCode.Forbidden, message);
}
