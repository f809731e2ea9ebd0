using System.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Dispatch;

/// <summary>A request that is answered by one kind of message, or by a failure.</summary>
internal sealed class OpenRequest<TResponse>(PacketType<TResponse> type, PacketSet packets) : OpenRequest
{
    /// <summary>All kinds of packets that may answer it.</summary>
    internal ushort[] PacketIds { get; } = [type.Id, .. packets.FailureIds];

    /// <summary>The answer, when the task has completed without an error.</summary>
    internal TResponse Response { get; private set; } = default!;

    internal override bool Awaits(ushort packetId) => PacketIds.AsSpan().Contains(packetId);

    protected override void OnAnswer(in Frame frame)
    {
        PacketType answer = packets.Find(frame.PacketId)!; // only packets of the set are handed to a request
        if (!answer.IsTransient)
        {
            Take(answer, in frame);
            return;
        }

        // The code that made the request keeps the answer for longer than the frame stays where it is.
        FrameData copy = FrameData.OfBody(new ReadOnlySequence<byte>(frame.ToArray()), frame.Header);
        Take(answer, new Frame(in copy));
    }

    private void Take(PacketType answer, in Frame frame)
    {
        if (ReferenceEquals(answer, type))
        {
            Response = type.TryDecode(in frame, out TResponse? response)
                ? response
                : throw new RequestFailedException($"The answer {type.Name} is malformed.");
        }
        else if (packets.IsFailure(answer))
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
