namespace PlayChat.Benchmark.Crowds;

internal sealed class FanoutLoad
{
    private volatile MeasureWindow? _window;

    public FanoutLoad(FanoutSettings settings, FaultLog faults)
    {
        Faults = faults;
        Roster = new ChatRoster(settings.Readers, settings.Rooms);
        Texts = new ChatTextCodec(settings.Seed);
        Log = new FanoutLog(Roster, settings.Late);
        Observer = settings.HasObserver ? settings.Clients : -1;
    }

    public FaultLog Faults { get; }

    public ChatRoster Roster { get; }

    public ChatTextCodec Texts { get; }

    public FanoutLog Log { get; }

    public int Observer { get; }

    public RoundTrips RoundTrips { get; } = new();

    /// <summary>Set when the load begins, before the window.</summary>
    public RunClock Clock { get; set; } = null!;

    /// <summary>Set when the load begins.</summary>
    public MeasureWindow? Window
    {
        get => _window;
        set => _window = value;
    }
}

/// <summary>A client of a crowd: it sends when the pacer says so, and counts what it receives.</summary>
internal abstract class FanoutLink(int index, FanoutLoad load)
{
    public int Index { get; } = index;

    public abstract DeliveryCounter Counter { get; }

    /// <summary>Whether the server serves it. Messages to a client that it never served are not expected.</summary>
    public virtual bool IsThere => true;

    public int Sent { get; private set; }

    /// <summary>Messages it sent that were planned during the measurement.</summary>
    public int MeasuredSent { get; private set; }

    protected FanoutLoad Load { get; } = load;

    /// <summary>Sends the next message. Only the pacer's thread calls it.</summary>
    /// <returns>False when the connection does not accept it.</returns>
    public bool Send(long plannedNanoseconds, int textBytes)
    {
        if (!TrySend(new ChatText(Index, Sent, plannedNanoseconds), textBytes))
        {
            return false;
        }

        Sent++;
        if (Load.Window!.Contains(plannedNanoseconds))
        {
            MeasuredSent++;
        }

        return true;
    }

    protected abstract bool TrySend(ChatText text, int textBytes);
}
