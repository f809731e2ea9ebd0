namespace PlayChat.MicroBenchmarks;

/// <summary>Requests by <c>connection.RequestAsync</c> whose answers arrive together; figures are those of one request.</summary>
[MemoryDiagnoser]
public class RequestBenchmarks
{
    private const ushort Asked = 1;
    private const ushort Answered = 2;
    private const int Requests = 30;
    private const int RequestIdOffset = 6; // after the length and the packet id: proto/PROTOCOL.md, "Packets"

    private readonly CJoinRoomReq _request = new() { RoomId = 12 };
    private readonly ValueTask<SRoomChatRes>[] _pending = new ValueTask<SRoomChatRes>[Requests];
    private byte[] _answers = [];
    private int _answerBytes;
    private ushort _lastId;
    private Connection _connection = null!;
    private StubLink _link = null!;

    /// <summary>Opens the connection, and encodes the answers.</summary>
    [GlobalSetup]
    public void Setup()
    {
        FrameFormat format = FrameFormat.Packet();
        PacketSet packets = new PacketSet().AddProtobuf(Asked, CJoinRoomReq.Parser).AddProtobuf(Answered, SRoomChatRes.Parser);
        (_connection, _link) = new BenchConnection(format, static (Connection _, in Frame _) => default, packets).Open();
        byte[] body = new SRoomChatRes { RoomId = 12, Sequence = 123_456_789, ClientMessageId = 77 }.ToByteArray();
        _answerBytes = format.GetEncodedBytes(body.Length);
        _answers = new byte[Requests * _answerBytes];
        for (int at = 0; at < _answers.Length; at += _answerBytes)
        {
            format.Encode(body, new FrameHeader(Answered, 1), _answers.AsSpan(at));
        }
    }

    /// <summary>Sends the requests, then receives all answers and hands each to its request.</summary>
    [Benchmark(OperationsPerInvoke = Requests)]
    public async Task Requests_and_answers()
    {
        for (int i = 0; i < Requests; i++)
        {
            _pending[i] = _connection.RequestAsync<SRoomChatRes>(_request, Timeout.InfiniteTimeSpan);
            _lastId = _lastId == ushort.MaxValue ? (ushort)1 : (ushort)(_lastId + 1); // as the connection counts them
            BinaryPrimitives.WriteUInt16BigEndian(_answers.AsSpan((i * _answerBytes) + RequestIdOffset), _lastId);
        }

        _link.Feed(_answers);
        foreach (ValueTask<SRoomChatRes> answer in _pending)
        {
            await answer;
        }
    }
}
