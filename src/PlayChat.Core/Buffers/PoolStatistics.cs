namespace PlayChat.Core.Buffers;

/// <summary>Counts the work of a pool since its creation, in buffers, not in bytes.</summary>
/// <param name="InUse">Rented and not yet returned.</param>
/// <param name="Peak">The most that were in use at one time.</param>
/// <param name="Rents">Buffers handed out.</param>
/// <param name="Returns">Buffers taken back.</param>
/// <param name="Reuses">Rents that were served without new memory.</param>
internal readonly record struct PoolStatistics(long InUse, long Peak, long Rents, long Returns, long Reuses);
