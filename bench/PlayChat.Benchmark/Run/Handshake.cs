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

    /// <summary>Logs in.</summary>
    /// <exception cref="RunFailedException">The server refused.</exception>
    public Task<SLoginRes> LoginAsync(Connection connection, string name, CancellationToken cancellationToken) => RequestAsync(
        connection,
        ChatPackets.CLoginReq,
        new CLoginReq { Name = name, ClientVersion = "PlayChat.Benchmark" },
        SLoginRes.Parser,
        cancellationToken);

    /// <summary>Sends a request and waits for its answer.</summary>
    /// <exception cref="RunFailedException">The server refused, or the connection ended.</exception>
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

    /// <summary>Completes the pending request with a frame that has <see cref="RequestId"/>. Called on the receive loop.</summary>
    public void OnAnswer(Frame frame) => _pending?.TrySetResult(((PacketId)frame.Header.PacketId, frame.ToArray()));

    /// <summary>Remembers the reason in the server's close notice.</summary>
    public void OnCloseNotice(Frame frame) =>
        _lastWords = ChatPackets.SCloseNtf.TryDecode(frame, out SCloseNtf? notice) ? notice.Message : null;

    /// <summary>Notes that the connection has ended, which fails the pending request.</summary>
    public void OnClosed(CloseReason reason)
    {
        _reason = reason;
        _ended.TrySetResult();
    }
}
