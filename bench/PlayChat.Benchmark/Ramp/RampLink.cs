namespace PlayChat.Benchmark.Ramp;

/// <summary>One connection of a ramp: one message under way at most, and a new one now and then.</summary>
internal sealed class RampLink(EchoLoad load) : FrameEchoLink(load)
{
    private volatile bool _isOpen;

    /// <summary>Whether the server serves it: its first message has returned.</summary>
    public bool IsAccepted => Received > 0;

    public bool IsClosed { get; private set; }

    public override void Start(Connection connection)
    {
        base.Start(connection);
        Send(0, Load.Clock.Nanoseconds);
        _isOpen = true; // last: from now on the plan's thread sends
    }

    /// <summary>Sends the next one, unless one is still under way: that one is late, which its round trip will say.</summary>
    public bool SendNext()
    {
        if (!_isOpen || Received < Sent || IsClosed)
        {
            return false;
        }

        Send(0, Load.Clock.Nanoseconds);
        return true;
    }

    public override void OnClosed(CloseReason reason)
    {
        IsClosed = true;
        base.OnClosed(reason);
    }

    protected override bool Record(long number, long now, long sentAt)
    {
        Load.Measured.Record(now - sentAt);
        return true;
    }

    protected override void OnAnswered(int slot, long now) { }
}
