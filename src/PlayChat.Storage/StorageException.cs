namespace PlayChat.Storage;

/// <summary>A store could not do its work. The message is one sentence for a person, and says what to do.</summary>
public sealed class StorageException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="kind">What went wrong.</param>
    /// <param name="message">What went wrong, where, and what to do about it.</param>
    /// <param name="innerException">The driver's or the system's own error.</param>
    public StorageException(StorageErrorKind kind, string message, Exception? innerException = null)
        : base(message, innerException) => Kind = kind;

    /// <summary>What went wrong.</summary>
    public StorageErrorKind Kind { get; }

    /// <summary>
    /// The kind and the message, which says everything, so that a log has one clear line; a stack trace for a failure without a kind alone.
    /// </summary>
    public override string ToString() =>
        Kind == StorageErrorKind.Failed ? base.ToString() : $"{nameof(StorageException)} ({Kind}): {Message}";
}
