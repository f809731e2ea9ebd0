namespace PlayChat.Core.Buffers;

/// <summary>What a trim of a pool has given back, and what it has left.</summary>
/// <param name="Segments">How many it has given back.</param>
/// <param name="Bytes">The memory of these.</param>
/// <param name="Kept">How many segments the pool still has, rented and idle.</param>
internal readonly record struct TrimResult(long Segments, long Bytes, long Kept)
{
    // Less is not worth a collection.
    private const long MuchBytes = 64 * 1024 * 1024;

    /// <summary>Whether it is much memory and at least nine tenths of the pool: a load has ended.</summary>
    internal bool EndsLoad => Bytes >= MuchBytes && Segments >= 9 * Kept;
}
