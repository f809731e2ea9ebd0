namespace PlayChat.Webhooks;

/// <summary>A request that was given up.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Target">The target.</param>
/// <param name="WebhookId">The header <c>webhook-id</c> of the request.</param>
/// <param name="RoomId">The room of its messages.</param>
/// <param name="Messages">How many messages it has.</param>
/// <param name="CreatedAt">When it came into the outbox.</param>
/// <param name="FailedAt">When it was given up.</param>
/// <param name="Error">Why the last try failed.</param>
public sealed record DeadLetter(
    long Id, string Target, string WebhookId, long RoomId, long Messages, DateTimeOffset CreatedAt, DateTimeOffset FailedAt, string Error);
