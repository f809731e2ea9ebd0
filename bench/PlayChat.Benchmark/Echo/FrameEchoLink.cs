namespace PlayChat.Benchmark.Echo;

/// <summary>A connection whose requests and answers are frames. It checks every answer; a subclass says when it sends.</summary>
/// <remarks>What sends and <see cref="OnFrame"/> never run at the same time and allocate nothing. Any thread may read counters.</remarks>
internal abstract class FrameEchoLink(EchoLoad load) : EchoLink(load)
{
    private static readonly SpanAction<byte, FrameEchoLink> s_write = static (destination, link) => link.Write(destination);

    private readonly EchoCodec _codec = load.Codec;
    private readonly long[] _sentAt = new long[load.Settings.Inflight]; // by slot, on the run's clock; 0: nothing is outstanding there
    private readonly long[] _numbers = new long[load.Settings.Inflight]; // by slot: the outstanding request's number
    private readonly Handshake _handshake = new();
    private Connection? _connection;
    private FrameScratch _scratch;
    private int _next; // the slot whose answer comes next, where answers come in order
    private long _writing;
    private long _answered;

    protected int Slots => _sentAt.Length;

    protected long Outstanding => _sent - _answered;

    public override Task LoginAsync(Connection connection, string name, CancellationToken cancellationToken) =>
        _handshake.LoginAsync(connection, name, cancellationToken);

    public override void Start(Connection connection) => _connection = connection;

    public override void OnFrame(Connection connection, Frame frame)
    {
        if (_codec.UsesRequestIds && frame.Header.PacketId != (ushort)PacketId.SEchoRes)
        {
            _handshake.OnOther(connection, frame, Load.Faults);
            return;
        }

        int slot = _codec.UsesRequestIds ? frame.Header.RequestId - 1 : _next;
        if ((uint)slot >= (uint)_sentAt.Length || _sentAt[slot] == 0)
        {
            Load.Faults.Add("An answer arrived without a request.");
            return;
        }

        _next = slot + 1 == _sentAt.Length ? 0 : slot + 1;
        long now = Load.Clock.Nanoseconds;
        long sentAt = _sentAt[slot];
        _sentAt[slot] = 0;
        _answered++;
        if (!_codec.IsAnswer(_scratch.Read(frame), _numbers[slot]))
        {
            Load.Faults.Add($"The answer to request {_numbers[slot]} is not what was sent.");
        }
        else
        {
            Volatile.Write(ref _received, _received + 1);
            if (Record(_numbers[slot], now, sentAt))
            {
                Volatile.Write(ref _measured, _measured + 1);
            }
        }

        OnAnswered(slot, now);
    }

    public override void OnClosed(CloseReason reason)
    {
        _handshake.OnClosed(reason);
        base.OnClosed(reason);
    }

    /// <summary>Times a right answer.</summary>
    protected abstract bool Record(long number, long now, long sentAt);

    /// <summary>Goes on after an answer, right or wrong: the slot is free.</summary>
    protected abstract void OnAnswered(int slot, long now);

    protected bool IsFree(int slot) => _sentAt[slot] == 0;

    /// <summary>Sends the next request.</summary>
    /// <param name="slot">Where it is outstanding: a free one, and where answers come in order, the one behind the last.</param>
    protected void Send(int slot, long now)
    {
        _sentAt[slot] = Math.Max(1, now);
        _numbers[slot] = _writing = _sent;
        Volatile.Write(ref _sent, _sent + 1);
        if (Outstanding > _sentAt.Length)
        {
            Volatile.Write(ref _gatingViolations, _gatingViolations + 1);
        }

        // What it answers says nothing new: a connection that takes no more is about to end, and OnClosed counts that.
        _connection!.Send(_codec.Header(slot), _codec.BodyBytes, this, s_write);
    }

    private void Write(Span<byte> destination) => _codec.Write(destination, _writing);
}
