namespace PlayChat.Players;

/// <summary>A stored document.</summary>
/// <param name="Key">Owner, collection and key.</param>
/// <param name="Value">The content as it was written.</param>
/// <param name="Version">From 1 to 2^53. Each write gives the document another version, which the document has never had before. A
/// version is no counter: of two versions, the greater one is not the newer.</param>
/// <param name="IsOwnerReadable">Whether the server reads the document for its owner as well.</param>
/// <param name="UpdatedAt">When it was written, by the clock of the server that wrote it; UTC, to the microsecond.</param>
public sealed record PlayerDocument(
    DocumentKey Key, ReadOnlyMemory<byte> Value, long Version, bool IsOwnerReadable, DateTimeOffset UpdatedAt);
