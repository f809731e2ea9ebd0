using PlayChat.Core.Framing;

namespace PlayChat.Core.Connections;

/// <summary>A request that waits for its answer.</summary>
/// <remarks>
/// Its task completes with the answer or with <see cref="Error"/> set, and never faults: after a timeout nothing awaits the task, and its
/// exception would be an unobserved one.
/// </remarks>
internal abstract class OpenRequest() : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
{
    /// <summary>What its answer carries. Unique among those of its connection that wait.</summary>
    internal ushort Id { get; set; }

    /// <summary>
    /// The packet that came with its id last and that no request has ever awaited; <see langword="null"/> for none. It may be the answer,
    /// of another kind than awaited.
    /// </summary>
    internal ushort? OtherPacketId { get; set; }

    /// <summary>Why there is no answer; set before the task completes.</summary>
    internal Exception? Error { get; private set; }

    /// <summary>Whether a packet of this kind, with its id, is the answer.</summary>
    internal abstract bool Awaits(ushort packetId);

    /// <summary>Takes the answer, of any kind. Once; what it throws fails the request.</summary>
    protected abstract void OnAnswer(in Frame frame);

    internal void Answer(in Frame frame)
    {
        try
        {
            OnAnswer(in frame);
            SetResult();
        }
        catch (Exception e)
        {
            // The application's codec threw: that fails the request, not the receive loop.
            Fail(e);
        }
    }

    internal void Fail(Exception error)
    {
        Error = error;
        TrySetResult();
    }
}
