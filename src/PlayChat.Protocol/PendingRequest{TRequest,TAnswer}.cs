using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Packets;

namespace PlayChat.Protocol;

/// <inheritdoc/>
internal sealed class PendingRequest<TRequest, TAnswer>(PacketType<TRequest> packet, TRequest request) : PendingRequest
    where TAnswer : class
{
    // The receive loop completes it: what waits must go on elsewhere.
    private readonly TaskCompletionSource<TAnswer> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<TAnswer> Answer => _completion.Task;

    public override long LeavesRoomId => request is CLeaveRoomReq leave ? leave.RoomId : 0;

    public override bool Send(Connection connection, ushort id) => connection.Send(packet, request, id);

    public override bool TryComplete(object answer)
    {
        if (answer is not TAnswer expected)
        {
            return false;
        }

        _completion.TrySetResult(expected);
        return true;
    }

    public override void Fail(Exception exception)
    {
        _completion.TrySetException(exception);

        // The caller may have stopped waiting; without this read the exception would count as unobserved.
        _ = _completion.Task.Exception;
    }
}
