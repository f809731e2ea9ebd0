namespace PlayChat.Chat.Rooms.Members;

/// <summary>What a room answers to a request that moderates it or changes a message.</summary>
/// <param name="Code">Why it was refused; <see cref="ErrorCode.None"/> when it was not.</param>
/// <param name="Message">A sentence that says what to do.</param>
/// <param name="PlayerId">The player that it was about.</param>
internal readonly record struct ModerationOutcome(ErrorCode Code, string Message, long PlayerId = 0)
{
    public static ModerationOutcome Done(long playerId) => new(ErrorCode.None, "", playerId);

    public static ModerationOutcome Forbidden(string message) => new(ErrorCode.Forbidden, message);
}
