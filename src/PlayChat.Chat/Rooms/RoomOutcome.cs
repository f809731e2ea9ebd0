namespace PlayChat.Chat.Rooms;

/// <summary>What a room answers to a request that moderates it, changes a message or reacts to one.</summary>
/// <param name="Code">Why it was refused; <see cref="ErrorCode.None"/> when it was not.</param>
/// <param name="Message">A sentence: of a refusal what to do, of moderation what was done.</param>
/// <param name="PlayerId">The player that was moderated, or the author of a message that another player deletes; otherwise 0.</param>
/// <param name="RetryAfter">Of a refusal that ends by itself, how long that takes; otherwise 0.</param>
/// <param name="IsStoreNeeded">The room does not remember the message: ask again with what the store has of it.</param>
/// <param name="Done">Completes when it counts; with <see langword="false"/> when the cluster or the store did not take it.</param>
/// <param name="Stored">Completes when what counts is stored; with <see langword="false"/> when the store did not take it.</param>
internal readonly record struct RoomOutcome(
    ErrorCode Code, string Message, long PlayerId = 0, TimeSpan RetryAfter = default, bool IsStoreNeeded = false, Task<bool>? Done = null,
    Task<bool>? Stored = null)
{
    public static RoomOutcome Forbidden(string message, TimeSpan retryAfter = default) =>
        new(ErrorCode.Forbidden, message, RetryAfter: retryAfter);
}
