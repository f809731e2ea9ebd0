namespace PlayChat.Benchmark.Classroom;

/// <summary>One connection of the load: sends when the pacer says so, and checks all that it receives.</summary>
internal abstract class ClassroomLink(int index, FanoutLoad load) : FanoutLink(index, load)
{
    // The number of a message by which a connection learns that it is in its room: those that come before it are the others'.
    private const int Hello = int.MaxValue;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private readonly TaskCompletionSource _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ChatText _writing;

    public override DeliveryCounter Counter { get; } = new(load.Roster, index, load.Log);

    public override bool IsThere => _entered.Task.IsCompletedSuccessfully;

    /// <summary>Connects, and waits until it receives its own first message. It throws <see cref="UsageException"/> otherwise.</summary>
    public async Task EnterAsync(ServerAddress server, CancellationToken cancellationToken)
    {
        await ConnectAsync(server, cancellationToken);
        _writing = new ChatText(Index, Hello, 0);
        Send(ChatText.MinBytes);
        await Task.WhenAny(_entered.Task, Task.Delay(s_patience, cancellationToken));
        cancellationToken.ThrowIfCancellationRequested();
        UsageException.Unless(IsThere, $"A connection to {server} was made, but its first message did not come back.");
    }

    public virtual ValueTask CloseAsync() => ValueTask.CompletedTask;

    protected abstract Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken);

    /// <summary>Sends to the connection's room what <see cref="Write"/> writes.</summary>
    protected abstract bool Send(int bytes);

    protected void Write(Span<byte> destination) => Load.Texts.Write(destination, _writing);

    /// <summary>Handles a message. One thread at a time calls it.</summary>
    /// <param name="senderId">The sender in front of it; <see langword="null"/> where the protocol has none.</param>
    protected void OnMessage(ReadOnlySpan<byte> body, ushort? senderId = null)
    {
        if (!Load.Texts.TryRead(body, out ChatText text)
            || !Counter.Knows(text.Sender)
            || (senderId ?? (ushort)text.Sender) != (ushort)text.Sender)
        {
            Counter.Add(Arrival.Inconsistent);
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

        MeasureWindow? window = Load.Window;
        if (window is null)
        {
            Load.Faults.Add("A message came before any was sent.");
            return;
        }

        long now = Load.Clock.Nanoseconds;
        if (text.Sender == Index && Index == Load.Observer && window.Contains(text.PlannedNanoseconds))
        {
            Load.RoundTrips.Add(now - text.PlannedNanoseconds);
        }

        Counter.Accept(text, sequence: 0, isKnownLate: false, now, window);
    }

    protected void OnClosed(string reason)
    {
        _entered.TrySetCanceled();
        Load.Faults.Add($"A connection ended early: {reason}.");
    }

    protected override bool TrySend(ChatText text, int textBytes)
    {
        _writing = text;
        return IsThere && Send(textBytes);
    }
}
