namespace PlayChat.Storage.ChatLog;

/// <summary>Somewhere chat is kept: a database, a file of the day. <see cref="ChatLogWriter"/> feeds it.</summary>
public interface IChatLogSink
{
    /// <summary>What the sink is called in logs and reports.</summary>
    string Name { get; }

    /// <summary>Writes a batch. One call at a time, in the order in which the records were accepted.</summary>
    /// <param name="batch">Not empty. Never changed afterwards, so a sink may keep it.</param>
    /// <param name="cancellationToken">Cancelled when a stopping writer has run out of time.</param>
    /// <remarks>
    /// When this throws, nothing of the batch counts as written and the same batch comes again until it succeeds, or, where the sink
    /// is not the writer's first, until the queue needs its space. So a sink writes all or nothing, or knows what it has written.
    /// </remarks>
    Task WriteBatchAsync(IReadOnlyList<ChatRecord> batch, CancellationToken cancellationToken);
}
