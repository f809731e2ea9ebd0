namespace PlayChat.Core.Dispatch;

/// <summary>What the rate limits know of a connection.</summary>
internal sealed class RateState(int limits)
{
    /// <summary>For each limit, when its bucket is full again.</summary>
    internal Int128[] FullAt { get; } = new Int128[limits];

    /// <summary>Packets that were refused since one was let through.</summary>
    internal int RefusedInRow { get; set; }
}
