using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Connections;

// Requests of ours that the peer answers. A connection that never makes one pays a look at a field.
public sealed partial class Connection
{
    private ReadingAhead? _ahead; // made with the first request, and with it the requests

    /// <summary>Takes in a request that is about to be sent, and gives it its id. <see cref="EndRequest"/> follows in any case.</summary>
    /// <param name="request">The request.</param>
    /// <param name="packetIds">All kinds of packets that may answer it.</param>
    /// <exception cref="TooManyRequestsException"><see cref="ConnectionOptions.MaxRequests"/> is reached.</exception>
    /// <exception cref="ConnectionClosedException">The connection has ended or is ending.</exception>
    internal void BeginRequest(PendingRequest request, ReadOnlySpan<ushort> packetIds)
    {
        ReadingAhead ahead = Volatile.Read(ref _ahead) ?? MakeAhead();
        ahead.Requests.Begin(request, packetIds);
        if (_state != State.Open)
        {
            ahead.Requests.Close(CloseReason); // whoever closed may have come before there were requests
        }
        else if (TryReadAhead(ahead))
        {
            LocalWork.Queue(ahead); // not here: it may be a room's turn, or a handler of another connection
        }
    }

    /// <summary>Nobody waits for its answer any more; one that comes is dropped.</summary>
    internal void EndRequest(PendingRequest request) => _ahead?.Requests.End(request);

    /// <summary>An answer came for which nobody waits.</summary>
    /// <param name="isTooMuch">The peer is to be let go: it sends what nobody asked for.</param>
    internal void OnAnswerDropped(bool isTooMuch)
    {
        _services.Metrics.Add(Counter.AnswersDropped);
        if (isTooMuch)
        {
            Refuse(DecodeStatus.Malformed);
        }
    }

    private ReadingAhead MakeAhead()
    {
        var made = new ReadingAhead(this, new ConnectionRequests(this, _services.Options.MaxRequests));
        return Interlocked.CompareExchange(ref _ahead, made, null) ?? made;
    }

    /// <summary>After a change of the state: there will be no more answers.</summary>
    private void CloseRequests() => Volatile.Read(ref _ahead)?.Requests.Close(CloseReason);
}
