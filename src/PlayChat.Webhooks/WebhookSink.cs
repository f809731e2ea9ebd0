using PlayChat.Storage;

namespace PlayChat.Webhooks;

/// <summary>Takes messages from the chat log into the outbox. Add it by <c>ChatBuilder.AddSink</c>.</summary>
/// <param name="webhooks">Sends what is in the outbox; a service of the host, which starts before the chat takes players.</param>
public sealed class WebhookSink(WebhookService webhooks) : IChatLogSink
{
    /// <inheritdoc/>
    public string Name => "webhooks";

    /// <inheritdoc/>
    public Task<int> WriteBatchAsync(IReadOnlyList<ChatRecord> batch, CancellationToken cancellationToken)
    {
        webhooks.Add(batch);
        return Task.FromResult(batch.Count);
    }
}
