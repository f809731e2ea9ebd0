using Google.Protobuf;
using PlayChat.Core.Dispatch;

namespace PlayChat.Benchmark.Run;

/// <summary>The requests of one connection before the load starts, one at a time.</summary>
internal sealed class Handshake
{
    /// <summary>The request id of all these requests. The load itself does not use it.</summary>
    public const ushort RequestId = ushort.MaxValue;

    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile TaskCompletionSource<(PacketId Id, byte[] Body)>? _pending;
    private volatile string? _lastWords;
    private CloseReason _reason;

    public Task<SLoginRes> LoginAsync(Connection connection, string name, CancellationToken cancellationToken) => RequestAsync(
        connection,
        ChatPackets.CLoginReq,
        new CLoginReq { Name = name, ClientVersion = "PlayChat.Benchmark" },
        SLoginRes.Parser,
        cancellationToken);

    public async Task<TAnswer> RequestAsync<TRequest, TAnswer>(
        Connection connection,
        PacketType<TRequest> type,
        TRequest request,
        MessageParser<TAnswer> parser,
        CancellationToken cancellationToken)
        where TRequest : class
        where TAnswer : IMessage<TAnswer>
    {
        var pending = new TaskCompletionSource<(PacketId Id, byte[] Body)>(TaskCreationOptions.RunContinuationsAsynchronously);
        _pending = pending;
        connection.SendPacket(request, RequestId, type: type);
        await Task.WhenAny(pending.Task, _ended.Task).WaitAsync(cancellationToken);
        if (!pending.Task.IsCompletedSuccessfully)
        {
            throw new RunFailedException($"The connection ended ({_reason}) instead of an answer to {type.Name}. {_lastWords}".TrimEnd());
        }

        (PacketId id, byte[] body) = await pending.Task;
        return id == PacketId.SErrorNtf
            ? throw new RunFailedException($"The server refused {type.Name}: {SErrorNtf.Parser.ParseFrom(body).Message}")
            : parser.ParseFrom(body);
    }

    /// <summary>Handles a packet that is no message of the load. Called on the receive loop.</summary>
    public void OnOther(Connection connection, Frame frame, FaultLog faults)
    {
        switch ((PacketId)frame.Header.PacketId)
        {
            case PacketId.SHeartbeatNtf:
                connection.Send([], new FrameHeader(ChatPackets.CHeartbeatNtf.Id));
                break;
            case PacketId.SCloseNtf: // the connection's end follows, and is counted
                _lastWords = ChatPackets.SCloseNtf.TryDecode(frame, out SCloseNtf? notice) ? notice.Message : null;
                break;
            case var _ when frame.Header.RequestId == RequestId:
                _pending?.TrySetResult(((PacketId)frame.Header.PacketId, frame.ToArray()));
                break;
            case PacketId.SErrorNtf:
                faults.Add("The server refused a request: "
                    + (ChatPackets.SErrorNtf.TryDecode(frame, out SErrorNtf? error) ? error.Message : "it does not say why."));
                break;
            default:
                faults.Add($"A packet came that was not expected: {frame.Header.PacketId}.");
                break;
        }
    }

    public void OnClosed(CloseReason reason)
    {
        _reason = reason;
        _ended.TrySetResult();
    }
}
