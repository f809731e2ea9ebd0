using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;

namespace PlayChat.Protocol;

/// <inheritdoc/>
/// <param name="packet">How the request is sent.</param>
/// <param name="request">The request.</param>
/// <param name="apply">
/// Carries the answer out on the receive loop, before the next frame; null when there is nothing to carry out.
/// </param>
internal sealed class PendingRequest<TRequest, TAnswer>(PacketType<TRequest> packet, TRequest request, Action<TAnswer>? apply = null)
    : PendingRequest
    where TAnswer : class
{
    private int _isDecided; // 1: the answer has arrived, or the request was given up

    // The receive loop completes it: what waits must continue elsewhere.
    private readonly TaskCompletionSource<TAnswer> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<TAnswer> Answer => _completion.Task;

    public override long LeavesRoomId => request is CLeaveRoomReq leave ? leave.RoomId : 0;

    public override bool Send(Connection connection, ushort id) => connection.SendPacket(request, id, type: packet);

    public override bool TryComplete(object answer)
    {
        if (answer is not TAnswer expected)
        {
            return false;
        }

        if (Interlocked.Exchange(ref _isDecided, 1) == 0)
        {
            apply?.Invoke(expected);
            _completion.TrySetResult(expected);
        }

        return true;
    }

    /// <summary>Gives the request up: an answer that comes later is not carried out.</summary>
    /// <returns>False when the answer arrived before; <see cref="Answer"/> completes then.</returns>
    public bool TryGiveUp() => Interlocked.Exchange(ref _isDecided, 1) == 0;

    public override void Fail(Exception exception)
    {
        _completion.TrySetException(exception);

        // The caller may have stopped waiting; without this read the exception would count as unobserved.
        _ = _completion.Task.Exception;
    }
}
