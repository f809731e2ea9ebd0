namespace PlayChat.Storage;

/// <summary>A place that keeps chat, such as a database or a day file. <see cref="ChatLog.ChatLogWriter"/> feeds it.</summary>
public interface IChatLogSink
{
    /// <summary>The name of the sink in logs and reports.</summary>
    string Name { get; }

    /// <summary>Writes a batch. The writer makes one call at a time, in the order in which it accepted the records.</summary>
    /// <param name="batch">Not empty. Never changed afterwards, so a sink may keep it.</param>
    /// <param name="cancellationToken">Cancelled when a stopping writer has run out of time.</param>
    /// <returns>The records that the sink has added: all but those that it drops, because it has their place already.</returns>
    /// <remarks>
    /// When this throws, no record of the batch counts as written, and the writer passes the same batch again until the call succeeds. For
    /// a sink that is not the writer's first, it stops when the queue needs the space. So a sink must write all of a batch or nothing, or
    /// know which records it has written. An exception of the kind <see cref="StorageErrorKind.RefusedValue"/> or
    /// <see cref="StorageErrorKind.TooLong"/> says that a record of the batch can never be written: the writer finds it and leaves it out.
    /// A sink that says so of all of several records is tried again, because its table may be at fault.
    /// </remarks>
    Task<int> WriteBatchAsync(IReadOnlyList<ChatRecord> batch, CancellationToken cancellationToken);
}
