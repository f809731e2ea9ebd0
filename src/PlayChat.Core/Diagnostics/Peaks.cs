namespace PlayChat.Core.Diagnostics;

/// <summary>The highest values of a stretch of time.</summary>
internal readonly record struct Peaks(long QueueDepth, long SendBuffers, long PoolBuffers)
{
    internal static Peaks Max(Peaks a, Peaks b) => new(
        Math.Max(a.QueueDepth, b.QueueDepth), Math.Max(a.SendBuffers, b.SendBuffers), Math.Max(a.PoolBuffers, b.PoolBuffers));
}
