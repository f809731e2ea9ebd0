namespace PlayChat.Players;

/// <summary>One write of a transaction: puts a document or deletes it, in any case or only if it has a given version. Immutable.</summary>
public sealed record PlayerWrite
{
    /// <summary>As a condition: the document must not exist.</summary>
    public const long Absent = 0;

    private PlayerWrite(DocumentKey key, byte[]? value, long? ifVersion, bool isOwnerReadable)
    {
        ArgumentException.ThrowIfNullOrEmpty(key.Player, nameof(key)); // of a default key
        ArgumentOutOfRangeException.ThrowIfNegative(ifVersion ?? 0, nameof(ifVersion));
        Key = key;
        Stored = value;
        IfVersion = ifVersion;
        IsOwnerReadable = isOwnerReadable;
    }

    /// <summary>The document.</summary>
    public DocumentKey Key { get; }

    /// <summary>The new content; empty for a delete.</summary>
    public ReadOnlyMemory<byte> Value => Stored;

    /// <summary>Whether the write deletes the document.</summary>
    public bool IsDelete => Stored is null;

    /// <summary>The version that the document must have; <see cref="Absent"/>: it must not exist; null: any or none.</summary>
    public long? IfVersion { get; }

    /// <summary>Whether the server will read the document for its owner as well.</summary>
    public bool IsOwnerReadable { get; }

    internal byte[]? Stored { get; }

    /// <summary>Writes a document.</summary>
    /// <param name="key">The document.</param>
    /// <param name="value">Its content, which is copied. Its bound is <see cref="PlayerStoreOptions.MaxValueBytes"/>.</param>
    /// <param name="ifVersion">The version that the document must have, <see cref="Absent"/> if it must not exist, or null (the default)
    /// to write in any case.</param>
    /// <param name="ownerReadable">Whether the server will read the document for its owner as well. Default: for itself alone.</param>
    /// <exception cref="ArgumentException"><paramref name="key"/> is the default value, or a number is negative.</exception>
    public static PlayerWrite Put(DocumentKey key, ReadOnlySpan<byte> value, long? ifVersion = null, bool ownerReadable = false) =>
        new(key, value.ToArray(), ifVersion, ownerReadable);

    /// <summary>Deletes a document.</summary>
    /// <param name="key">The document.</param>
    /// <param name="ifVersion">The version that the document must have, or null (the default) to delete it if it exists.</param>
    /// <exception cref="ArgumentException"><paramref name="key"/> is the default value, or the version is below 1.</exception>
    public static PlayerWrite Delete(DocumentKey key, long? ifVersion = null) => ifVersion is Absent
        ? throw new ArgumentOutOfRangeException(nameof(ifVersion), "A document that must not exist has nothing to delete.")
        : new(key, value: null, ifVersion, isOwnerReadable: false);
}
