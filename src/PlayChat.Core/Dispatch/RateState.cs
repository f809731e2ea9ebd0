namespace PlayChat.Core.Dispatch;

/// <summary>What the rate limits know of a connection.</summary>
internal sealed class RateState(int limits)
{
    /// <summary>The bucket of each limit: which limit has filled it, and when it is full again, in units of that limit.</summary>
    internal (RateLimit? Limit, Int128 FullAt)[] Buckets { get; } = new (RateLimit? Limit, Int128 FullAt)[limits];

    /// <summary>Packets that were refused since one was let through.</summary>
    internal int RefusedInRow { get; set; }
}
