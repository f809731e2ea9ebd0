namespace PlayChat.Core.Connections;

/// <summary>
/// What the caller of <see cref="OutboundQueue"/> does after it has left the gate. Each value but <see cref="None"/> makes the caller the
/// send loop.
/// </summary>
internal enum NextSend : byte
{
    /// <summary>Nothing: a send is under way, the batch is corked, or no flush was asked for.</summary>
    None,

    /// <summary>Send the frames just given, which are not queued: <see cref="SendLoop.SendDirect"/>.</summary>
    Direct,

    /// <summary>Send what is queued: <see cref="SendLoop.Run"/>.</summary>
    Queued,
}
