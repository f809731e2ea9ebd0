namespace PlayChat.Transport.Linux;

/// <summary>What waited for an edge.</summary>
internal enum ReadinessWaiter
{
    None,
    Operation,
    Continuation,
}
