namespace PlayChat.Chat.Rooms.Members;

/// <summary>What a room answers to a request that moderates it or changes a message.</summary>
/// <param name="Code">Why it was refused; <see cref="ErrorCode.None"/> when it was not.</param>
/// <param name="Message">A sentence: of a refusal what to do, otherwise what was done.</param>
/// <param name="PlayerId">The player that it was about; 0 for the room.</param>
/// <param name="Committed">Completes when it counts; with <see langword="false"/> when the cluster did not take it.</param>
internal readonly record struct ModerationOutcome(ErrorCode Code, string Message, long PlayerId = 0, Task<bool>? Committed = null)
{
    public static ModerationOutcome Done(RoomChange change, Task<bool> committed) => new(
        ErrorCode.None, change.Text, change.IsOfPlayer || change.Parting is not null ? change.PlayerId : 0, committed);

    public static ModerationOutcome Forbidden(string message) => new(ErrorCode.Forbidden, message);
}
