using System.Buffers;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Pacing;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;

namespace PlayChat.Benchmark.Classroom;

/// <summary>One connection of the load: sends when the pacer says so, and checks all that it receives.</summary>
internal sealed class ClassroomLink : IPacedSender
{
    // The number of a message by which a connection learns that it is in its room: those that come before it are the others'.
    private const int Hello = int.MaxValue;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);
    private static readonly SpanAction<byte, ClassroomLink> s_write =
        static (destination, link) => link._load.Texts.Write(destination, link._writing);

    private readonly int _index;
    private readonly ClassroomLoad _load;
    private readonly FrameHeader _header;
    private readonly TaskCompletionSource _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Connection? _connection;
    private byte[]? _scratch;
    private ChatText _writing;
    private int _sent;
    private int _measuredSent;

    public ClassroomLink(int index, ClassroomLoad load)
    {
        _index = index;
        _load = load;
        _header = new FrameHeader(SenderId: (ushort)index);
        Counter = new DeliveryCounter(load.Roster, index, load.Log);
    }

    /// <summary>What it has received.</summary>
    public DeliveryCounter Counter { get; }

    /// <summary>Whether the server has served it.</summary>
    public bool IsThere => _entered.Task.IsCompletedSuccessfully;

    /// <summary>Messages it sent, in all phases.</summary>
    public int Sent => Volatile.Read(ref _sent);

    /// <summary>Messages it sent that were planned while it was measured.</summary>
    public int MeasuredSent => Volatile.Read(ref _measuredSent);

    /// <summary>Connects, and waits until its own first message has come back.</summary>
    /// <returns>Why not, or <see langword="null"/>.</returns>
    public async Task<string?> EnterAsync(PlayChatConnector connector, ServerAddress server, CancellationToken cancellationToken)
    {
        try
        {
            _connection = await ConnectionCrowd.ConnectAsync(connector, server, this, cancellationToken);
        }
        catch (UsageException e)
        {
            return e.Message;
        }

        _writing = new ChatText(_index, Hello, 0);
        _connection.Send(_header, ChatText.MinBytes, this, s_write);
        Task first = await Task.WhenAny(_entered.Task, Task.Delay(s_patience, cancellationToken));
        cancellationToken.ThrowIfCancellationRequested();
        return first == _entered.Task && IsThere ? null : $"A connection to {server} was made, but its first message did not come back.";
    }

    /// <inheritdoc/>
    public bool Send(long plannedNanoseconds, int textBytes)
    {
        _writing = new ChatText(_index, _sent, plannedNanoseconds);
        if (!IsThere || !_connection!.Send(_header, textBytes, this, s_write))
        {
            return false;
        }

        Volatile.Write(ref _sent, _sent + 1);
        if (_load.Window!.Contains(plannedNanoseconds))
        {
            Volatile.Write(ref _measuredSent, _measuredSent + 1);
        }

        return true;
    }

    /// <summary>Handles a frame, on the connection's receive loop.</summary>
    public void OnFrame(Frame frame)
    {
        if (!_load.Texts.TryRead(Body(frame), out ChatText text)
            || !Counter.Knows(text.Sender)
            || frame.Header.SenderId != (ushort)text.Sender)
        {
            Counter.AddCorrupted();
            return;
        }

        if (text.Number == Hello)
        {
            if (text.Sender == _index)
            {
                _entered.TrySetResult();
            }

            return;
        }

        MeasureWindow? window = _load.Window;
        if (window is null)
        {
            _load.Faults.Add("A message came before any was sent.");
            return;
        }

        long now = _load.Clock.Nanoseconds;
        if (text.Sender == _index && _index == _load.Observer && window.Contains(text.PlannedNanoseconds))
        {
            _load.RoundTrips.Add(now - text.PlannedNanoseconds);
        }

        Counter.Accept(text, sequence: 0, isKnownLate: false, now, window);
    }

    /// <summary>Called once when the connection has ended.</summary>
    public void OnClosed(CloseReason reason)
    {
        _entered.TrySetCanceled();
        _load.Faults.Add($"A connection ended early: {reason}.");
    }

    private ReadOnlySpan<byte> Body(Frame frame)
    {
        if (frame.TryGetSpan(out ReadOnlySpan<byte> body))
        {
            return body;
        }

        // Across a seam of the receive buffer, which is rare.
        if (_scratch is null || _scratch.Length < frame.BodyBytes)
        {
            _scratch = new byte[frame.BodyBytes];
        }

        frame.CopyTo(_scratch);
        return _scratch.AsSpan(0, frame.BodyBytes);
    }
}
