using Microsoft.Extensions.Logging;

namespace PlayChat.Webhooks;

/// <summary>Log messages of the webhooks. Event ids 6200 to 6299.</summary>
internal static partial class WebhookLog
{
    [LoggerMessage(6200, LogLevel.Warning, "Webhook {Target} fails, its messages wait: {Reason}")]
    public static partial void TargetFailed(ILogger logger, string target, string reason);

    [LoggerMessage(6201, LogLevel.Information, "Webhook {Target} works again after {Failures} failed requests.")]
    public static partial void TargetRecovered(ILogger logger, string target, int failures);

    [LoggerMessage(6202, LogLevel.Warning, "Webhook {Target} refuses request {WebhookId} of room {RoomId}, which waits: {Reason}")]
    public static partial void RequestRefused(ILogger logger, string target, string webhookId, long roomId, string reason);

    [LoggerMessage(
        6203, LogLevel.Warning,
        "Webhook {Target}: {Requests} requests were given up and are dead letters. Repair the receiver, then run 'admin webhooks retry'.")]
    public static partial void GivenUp(ILogger logger, string target, int requests);

    [LoggerMessage(6204, LogLevel.Error, "Webhook {Target} stands still, its outbox failed: {Reason}")]
    public static partial void OutboxFailed(ILogger logger, string target, string reason, Exception exception);

    [LoggerMessage(
        6205, LogLevel.Warning,
        "{Requests} requests in the outbox are for webhooks that the settings no longer have: they are dead letters.")]
    public static partial void TargetsGone(ILogger logger, int requests);
}
