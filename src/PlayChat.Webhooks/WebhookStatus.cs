namespace PlayChat.Webhooks;

/// <summary>How a target is doing.</summary>
/// <param name="Name">The target.</param>
/// <param name="Address">Scheme, host and port of its address. The rest may hold a secret.</param>
/// <param name="Waiting">Requests that were not sent yet.</param>
/// <param name="OldestAt">When the oldest of them came; <see langword="null"/> if there is none.</param>
/// <param name="DeadLetters">Requests that were given up.</param>
/// <param name="Failures">How many requests have failed in a row.</param>
/// <param name="LastError">Why the last of them failed; <see langword="null"/> if none did.</param>
/// <param name="NextTryAt">When the next request will be tried; <see langword="null"/> if none waits for its time.</param>
public sealed record WebhookStatus(
    string Name, string Address, long Waiting, DateTimeOffset? OldestAt, long DeadLetters, int Failures, string? LastError,
    DateTimeOffset? NextTryAt);
