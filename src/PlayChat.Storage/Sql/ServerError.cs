namespace PlayChat.Storage.Sql;

/// <summary>What a database server's error means for a store.</summary>
/// <param name="Kind">What callers are told.</param>
/// <param name="Message">One sentence for a person, that says what to do.</param>
/// <param name="IsTransient">Whether the same work may succeed when it is done again in a moment.</param>
/// <param name="IsAcquireTimeout">Whether no connection came free in time.</param>
internal readonly record struct ServerError(StorageErrorKind Kind, string Message, bool IsTransient = false, bool IsAcquireTimeout = false);
