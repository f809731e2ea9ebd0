using Microsoft.Extensions.Logging;

namespace PlayChat.Storage.ChatLog;

/// <summary>What the pumps of a writer share.</summary>
/// <param name="Options">The writer's own copy.</param>
/// <param name="Queue">The queue that the batches come from.</param>
/// <param name="Metrics">The writer's.</param>
/// <param name="Time">The clock of retries.</param>
/// <param name="Logger">Gets a line when a sink begins to fail, and when it works again.</param>
/// <param name="Finished">Called for each batch that leaves a pump, with whether it is safe (written, or in the spill file).</param>
/// <param name="Stopping">Cancelled when no more batches will come. Retries then use the shortest delay.</param>
/// <param name="Aborted">Cancelled when the stop has run out of time.</param>
internal sealed record ChatLogPumpContext(
    ChatLogOptions Options,
    ChatLogQueue Queue,
    ChatLogMetrics Metrics,
    TimeProvider Time,
    ILogger Logger,
    Action<ChatLogBatch, bool> Finished,
    CancellationToken Stopping,
    CancellationToken Aborted);
