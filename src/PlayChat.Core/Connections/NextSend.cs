namespace PlayChat.Core.Connections;

/// <summary>
/// What the caller of <see cref="OutboundQueue"/> does after it has left the gate. Each value but <see cref="None"/> makes the caller the
/// send loop.
/// </summary>
internal enum NextSend : byte
{
    None, // nothing: a send is under way, the batch is corked, or no flush was asked for
    Direct, // send the frames just given, which are not queued: SendLoop.SendDirect
    Queued, // send what is queued: SendLoop.Run
}
