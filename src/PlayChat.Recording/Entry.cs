namespace PlayChat.Recording;

/// <summary>An entry as it was read.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Numbers">As many as an entry can have; those that the kind does not have are 0.</param>
/// <param name="Content">The content; empty if there is none.</param>
internal readonly record struct Entry(EntryKind Kind, long[] Numbers, byte[] Content);
