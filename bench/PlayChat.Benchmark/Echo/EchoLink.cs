using System.Buffers;
using PlayChat.Benchmark.Run;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Protocol;

namespace PlayChat.Benchmark.Echo;

/// <summary>One connection of an echo run: each answer sends the next request, so a fixed number is outstanding until the run ends.</summary>
/// <remarks>
/// Everything happens in the connection's frame handler, one frame at a time, and nothing is allocated there. The counters are
/// written by the handler alone and may be read from anywhere.
/// </remarks>
internal sealed class EchoLink
{
    private static readonly SpanAction<byte, EchoLink> s_write = static (destination, link) => link.Write(destination);

    private readonly EchoLoad _load;
    private readonly EchoCodec _codec;
    private readonly long[] _sentAt; // by slot, on the run's clock; 0: nothing is outstanding there
    private readonly long[] _numbers; // by slot: the outstanding request's number
    private readonly long _budget; // requests
    private readonly Handshake _handshake = new();
    private Connection? _connection;
    private byte[]? _scratch;
    private int _next; // the slot whose answer comes next, where answers come in order
    private bool _opened;
    private int _outstanding;
    private long _writing;
    private long _sent;
    private long _received;
    private long _measured;
    private int _done;

    public EchoLink(EchoLoad load)
    {
        _load = load;
        _codec = load.Codec;
        _sentAt = new long[load.Settings.Inflight];
        _numbers = new long[load.Settings.Inflight];
        _budget = load.Settings.MessagesPerConnection ?? long.MaxValue;
    }

    /// <summary>Requests sent.</summary>
    public long Sent => Volatile.Read(ref _sent);

    /// <summary>Right answers received.</summary>
    public long Received => Volatile.Read(ref _received);

    /// <summary>Right answers received while it was measured.</summary>
    public long Measured => Volatile.Read(ref _measured);

    /// <summary>Logs in, where the server wants that before an echo.</summary>
    /// <exception cref="RunFailedException">It refused.</exception>
    public Task LoginAsync(Connection connection, string name, CancellationToken cancellationToken) =>
        _handshake.LoginAsync(connection, name, cancellationToken);

    /// <summary>Sends the first request. Its answer opens the window, so that all others go out in one send from the receive loop.</summary>
    public void Start(Connection connection)
    {
        _connection = connection;
        SendNext(0, _load.Clock.Nanoseconds);
    }

    /// <summary>Handles an answer, on the connection's receive loop.</summary>
    public void OnFrame(Connection connection, Frame frame)
    {
        if (_codec.UsesRequestIds && frame.PacketId != (ushort)PacketId.SEchoRes)
        {
            OnOther(connection, frame);
            return;
        }

        int slot = _codec.UsesRequestIds ? frame.RequestId - 1 : _next;
        if ((uint)slot >= (uint)_sentAt.Length || _sentAt[slot] == 0)
        {
            _load.Faults.Add("An answer came that nothing was asked for.");
            return;
        }

        _next = slot + 1 == _sentAt.Length ? 0 : slot + 1;
        long now = _load.Clock.Nanoseconds;
        long sentAt = _sentAt[slot];
        _sentAt[slot] = 0;
        _outstanding--;
        if (!_codec.IsAnswer(Body(frame), _numbers[slot]))
        {
            _load.Faults.Add($"The answer to request {_numbers[slot]} is not what was sent.");
        }
        else
        {
            Count(now, sentAt);
        }

        if (!_opened)
        {
            _opened = true;
            for (int i = 1; i < _sentAt.Length; i++)
            {
                SendNext(i, now);
            }
        }

        SendNext(slot, now);
    }

    /// <summary>Called once when the connection has ended.</summary>
    public void OnClosed(CloseReason reason)
    {
        _handshake.OnClosed(reason);
        if (Volatile.Read(ref _done) == 0)
        {
            _load.Faults.Add($"A connection ended early: {reason}.");
        }

        Finish();
    }

    private void Count(long now, long sentAt)
    {
        Volatile.Write(ref _received, _received + 1);
        if (_load.Window.Contains(now))
        {
            Volatile.Write(ref _measured, _measured + 1);
            _load.Measured.Record(now - sentAt);
        }
        else
        {
            _load.Unmeasured.Record(now - sentAt);
        }
    }

    private void SendNext(int slot, long now)
    {
        if (now < _load.Window.EndNanoseconds && _sent < _budget)
        {
            _sentAt[slot] = Math.Max(1, now);
            _numbers[slot] = _writing = _sent;
            _outstanding++;
            Volatile.Write(ref _sent, _sent + 1);
            // What it answers says nothing new: a connection that takes no more is about to end, and OnClosed counts that.
            _connection!.Send(_codec.Header(slot), _codec.BodyBytes, this, s_write);
        }
        else if (_outstanding == 0)
        {
            Finish();
        }
    }

    private void Write(Span<byte> destination) => _codec.Write(destination, _writing);

    private ReadOnlySpan<byte> Body(Frame frame)
    {
        if (frame.TryGetSpan(out ReadOnlySpan<byte> body) || frame.BodyBytes > _codec.BodyBytes)
        {
            return body;
        }

        // Across a seam of the receive buffer, which is rare.
        _scratch ??= new byte[_codec.BodyBytes];
        frame.CopyTo(_scratch);
        return _scratch.AsSpan(0, frame.BodyBytes);
    }

    private void OnOther(Connection connection, Frame frame)
    {
        switch ((PacketId)frame.PacketId)
        {
            case var _ when frame.RequestId == Handshake.RequestId:
                _handshake.OnAnswer(frame);
                break;
            case PacketId.SHeartbeatNtf:
                connection.Send([], ChatPackets.CHeartbeatNtf.Header());
                break;
            case PacketId.SErrorNtf:
                _load.Faults.Add(ChatPackets.SErrorNtf.TryDecode(frame, out SErrorNtf? error) ? $"The server refused a request: {error.Message}" : "The server refused a request.");
                break;
            case PacketId.SCloseNtf:
                _handshake.OnCloseNotice(frame); // the connection's end follows, and is counted
                break;
            default:
                _load.Faults.Add($"A packet came that was not expected: {frame.PacketId}.");
                break;
        }
    }

    private void Finish()
    {
        if (Interlocked.Exchange(ref _done, 1) == 0)
        {
            _load.OnDone();
        }
    }
}
