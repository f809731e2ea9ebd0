namespace PlayChat.Benchmark.Ramp;

/// <summary>One connection of a ramp: sends now and then, and verifies what comes back.</summary>
internal sealed class RampLink(RampLoad load)
{
    private static readonly SpanAction<byte, RampLink> s_write =
        static (destination, link) => link._load.Codec.Write(destination, link._sent - 1);

    private readonly RampLoad _load = load;
    private volatile Connection? _connection;
    private long _sentAt; // of the message that is under way, on the run's clock
    private long _sent;
    private long _received;

    public long Sent => Volatile.Read(ref _sent);

    public long Received => Volatile.Read(ref _received);

    /// <summary>Whether the server serves it: its first message has returned.</summary>
    public bool IsAccepted => Received > 0;

    public bool IsClosed { get; private set; }

    public void Open(Connection connection)
    {
        Send(connection);
        _connection = connection; // last: from now on the plan's thread sends
    }

    /// <summary>Sends the next one, unless one is still under way: that one is late, which its round trip will say.</summary>
    /// <returns>Whether it was sent.</returns>
    public bool SendNext()
    {
        if (_connection is not { } connection || Received < _sent || IsClosed)
        {
            return false;
        }

        Send(connection);
        return true;
    }

    public void OnFrame(Frame frame)
    {
        byte[] body = frame.ToArray();
        if (!_load.Codec.IsAnswer(body, _sent - 1) || Received == _sent)
        {
            _load.Faults.Add($"The answer to message {_sent - 1} is not what was sent.");
            return;
        }

        _load.RoundTrips.Record(_load.Clock.Nanoseconds - Volatile.Read(ref _sentAt));
        Volatile.Write(ref _received, _received + 1);
    }

    public void OnClosed(CloseReason reason)
    {
        IsClosed = true;
        _load.Faults.Add($"A connection ended early: {reason}.");
    }

    private void Send(Connection connection)
    {
        Volatile.Write(ref _sentAt, _load.Clock.Nanoseconds);
        Volatile.Write(ref _sent, _sent + 1);
        connection.Send(default, _load.Codec.BodyBytes, this, s_write);
    }
}

internal sealed class RampLoad(EchoCodec codec, FaultLog faults)
{
    public EchoCodec Codec { get; } = codec;

    public FaultLog Faults { get; } = faults;

    public LatencyRecorder RoundTrips { get; } = new();

    public RunClock Clock { get; set; } = null!;
}
