using System.Buffers;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Pacing;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Classroom;

/// <summary>One connection of the load: sends when the pacer says so, and checks all that it receives.</summary>
internal sealed class ClassroomLink : IPacedSender
{
    // The number of a message by which a connection learns that it is in its room: those that come before it are the others'.
    private const int Hello = int.MaxValue;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);
    private static readonly SpanAction<byte, ClassroomLink> s_write =
        static (destination, link) => link._load.Texts.Write(destination, link._writing);

    private readonly ClassroomLoad _load;
    private readonly IClassroomChannel _channel;
    private readonly TaskCompletionSource _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ChatText _writing;
    private int _sent;
    private int _measuredSent;

    public ClassroomLink(int index, ClassroomLoad load, IClassroomNetwork network)
    {
        Index = index;
        _load = load;
        _channel = network.CreateChannel(this, load.Roster.RoomOf(index));
        Counter = new DeliveryCounter(load.Roster, index, load.Log);
    }

    /// <summary>Its place among all connections.</summary>
    public int Index { get; }

    /// <summary>What it has received.</summary>
    public DeliveryCounter Counter { get; }

    /// <summary>Whether the server has served it.</summary>
    public bool IsThere => _entered.Task.IsCompletedSuccessfully;

    /// <summary>Messages it sent, in all phases.</summary>
    public int Sent => Volatile.Read(ref _sent);

    /// <summary>Messages it sent that were planned while it was measured.</summary>
    public int MeasuredSent => Volatile.Read(ref _measuredSent);

    /// <summary>Connects, and waits until it receives its own first message.</summary>
    /// <returns>Why not, or <see langword="null"/>.</returns>
    public async Task<string?> EnterAsync(ServerAddress server, CancellationToken cancellationToken)
    {
        try
        {
            await _channel.ConnectAsync(server, cancellationToken);
        }
        catch (UsageException e)
        {
            return e.Message;
        }

        _writing = new ChatText(Index, Hello, 0);
        _channel.Send(ChatText.MinBytes, s_write);
        Task first = await Task.WhenAny(_entered.Task, Task.Delay(s_patience, cancellationToken));
        cancellationToken.ThrowIfCancellationRequested();
        return first == _entered.Task && IsThere ? null : $"A connection to {server} was made, but its first message did not come back.";
    }

    /// <inheritdoc/>
    public bool Send(long plannedNanoseconds, int textBytes)
    {
        _writing = new ChatText(Index, _sent, plannedNanoseconds);
        if (!IsThere || !_channel.Send(textBytes, s_write))
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

    /// <summary>Handles a message. One thread at a time calls it.</summary>
    /// <param name="body">The message.</param>
    /// <param name="senderId">The sender in front of it; <see langword="null"/> where the protocol has none.</param>
    public void OnMessage(ReadOnlySpan<byte> body, ushort? senderId = null)
    {
        if (!_load.Texts.TryRead(body, out ChatText text)
            || !Counter.Knows(text.Sender)
            || (senderId ?? (ushort)text.Sender) != (ushort)text.Sender)
        {
            Counter.AddCorrupted();
            return;
        }

        if (text.Number == Hello)
        {
            if (text.Sender == Index)
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
        if (text.Sender == Index && Index == _load.Observer && window.Contains(text.PlannedNanoseconds))
        {
            _load.RoundTrips.Add(now - text.PlannedNanoseconds);
        }

        Counter.Accept(text, sequence: 0, isKnownLate: false, now, window);
    }

    /// <summary>Called once when the connection has ended.</summary>
    /// <param name="reason">Why.</param>
    public void OnClosed(string reason)
    {
        _entered.TrySetCanceled();
        _load.Faults.Add($"A connection ended early: {reason}.");
    }
}
