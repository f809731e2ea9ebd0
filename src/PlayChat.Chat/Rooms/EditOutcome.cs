namespace PlayChat.Chat.Rooms;

/// <summary>What a room answers to a change of a message, or to a reaction to it.</summary>
/// <param name="Code">Why it was refused; <see cref="ErrorCode.None"/> when it was not.</param>
/// <param name="Message">A sentence that says what to do.</param>
/// <param name="IsStoreNeeded">The room does not remember the message: ask again with what the store has of it.</param>
/// <param name="AuthorId">The author of a message that another player deletes; 0 for its own.</param>
/// <param name="RetryAfter">Of a refusal that ends by itself, how long that takes; otherwise 0.</param>
/// <param name="Done">Completes when the change is heard; with <see langword="false"/> when the cluster did not take it.</param>
internal readonly record struct EditOutcome(
    ErrorCode Code, string Message, bool IsStoreNeeded = false, long AuthorId = 0, TimeSpan RetryAfter = default, Task<bool>? Done = null);
