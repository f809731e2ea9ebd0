using System.Threading.Tasks.Sources;

namespace PlayChat.Core.Connections;

/// <summary>A request that is answered by one kind of message, or by a failure.</summary>
/// <param name="connection">Whose peer is asked.</param>
/// <param name="question">The kind of packet that asks.</param>
/// <param name="type">The kind of packet that answers.</param>
/// <param name="timeout">How long the answer may take.</param>
internal sealed class OpenRequest<TResponse>(Connection connection, PacketType question, PacketType<TResponse> type, TimeSpan timeout)
    : OpenRequest(type.Id), IValueTaskSource<TResponse>, IPacketSender
{
    private TResponse _response = default!; // the answer, when the request has completed without an error
    private CancellationTokenRegistration _cancellation;

    private PacketSet Packets => connection.Services.Packets;

    /// <summary>Sends the request. Once.</summary>
    internal ValueTask<TResponse> Send(object request, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<TResponse>(cancellationToken);
        }

        try
        {
            if (cancellationToken.CanBeCanceled)
            {
                // Before the answer may come, which ends the registration.
                _cancellation = cancellationToken.UnsafeRegister(
                    static (request, token) => ((OpenRequest<TResponse>)request!).Cancel(token), this);
            }

            if (timeout > TimeSpan.Zero) // neither infinite nor over at once
            {
                Deadline = connection.Services.DeadlineAfter(timeout);
            }

            connection.BeginRequest(this);
            if (!question.SendObject(this, request, Id) && connection.IsOpen)
            {
                throw new RequestFailedException(
                    $"{question.Name} was not sent: the peer's outbound queue is full, or a filter stopped it.");
            }
        }
        catch (Exception e)
        {
            connection.TryEndRequest(this, wasSent: false);
            OnDecided();
            return ValueTask.FromException<TResponse>(e);
        }

        if (cancellationToken.IsCancellationRequested)
        {
            Cancel(cancellationToken); // perhaps before the request was there to be cancelled
        }
        else if (timeout == TimeSpan.Zero && connection.TryEndRequest(this))
        {
            Fail(CreateTimeout());
        }

        return new ValueTask<TResponse>(this, token: 0);
    }

    public TResponse GetResult(short token)
    {
        RequireSuccess();
        return _response;
    }

    bool IPacketSender.Send<TMessage>(PacketType<TMessage> packet, TMessage message, ushort requestId) =>
        connection.SendPacket(message, requestId, type: packet);

    internal override Exception CreateTimeout()
    {
        string hint = connection.IsHandlerWaiting
            ? " A handler of this connection has not returned, and the connection receives no answer until it does: a handler must not "
                + "await a request to its own peer."
            : OtherPacketId is { } other
                ? $" Packet {other} ({Packets.Find(other)?.Name ?? "not in the PacketSet"}) came with the request's id, but the request "
                    + $"awaits {typeof(TResponse).Name}."
                : "";
        return new TimeoutException($"{question.Name} was not answered within {timeout.TotalSeconds:0.###} seconds.{hint}");
    }

    protected override void OnAnswer(in Frame frame)
    {
        PacketType answer = frame.PacketId == type.Id ? type : Packets.Find(frame.PacketId)!; // only packets of the set come to a request
        if (!answer.IsTransient)
        {
            Take(answer, in frame);
            return;
        }

        // The code that made the request keeps the answer for longer than the frame stays where it is.
        FrameData copy = FrameData.OfBody(new ReadOnlySequence<byte>(frame.ToArray()), frame.Header);
        Take(answer, new Frame(in copy));
    }

    protected override void OnDecided() => _cancellation.Unregister(); // not Dispose, which waits for a cancellation under way

    private void Cancel(CancellationToken cancellationToken)
    {
        if (connection.TryEndRequest(this))
        {
            Fail(new OperationCanceledException(cancellationToken));
        }
    }

    private void Take(PacketType answer, in Frame frame)
    {
        if (ReferenceEquals(answer, type))
        {
            _response = type.TryDecode(in frame, out TResponse? response)
                ? response
                : throw new RequestFailedException($"The answer {type.Name} is malformed.");
        }
        else if (Packets.IsFailure(answer))
        {
            throw new RequestFailedException($"The peer answers with {answer.Name}.", answer.Decode(in frame));
        }
        else
        {
            throw new RequestFailedException(
                $"The peer answers with {answer.Name} (packet {answer.Id}), and the request awaits {type.Name} (packet {type.Id}): ask "
                    + $"with RequestAsync<{answer.MessageType.Name}>, or have the peer answer with {type.MessageType.Name}.",
                answer.Decode(in frame));
        }
    }
}
