namespace PlayChat.Core.Transport.Linux;

/// <summary>Who waited for an edge.</summary>
internal enum ReadinessWaiter
{
    None,
    Operation,
    Continuation,
}
