namespace PlayChat.Benchmark.Echo;

/// <summary>The closed loop: each answer sends the next request, so a fixed number is outstanding until the run ends.</summary>
internal sealed class ClosedEchoLink(EchoLoad load) : FrameEchoLink(load)
{
    private readonly long _budget = load.Settings.MessagesPerConnection ?? long.MaxValue;
    private readonly int _sampleEvery = load.Settings.SampleEvery;
    private int _untilSample = 1;
    private bool _opened;

    /// <summary>Sends the first request. Its answer opens the window, so that the others leave in one send from the receive loop.</summary>
    public override void Start(Connection connection)
    {
        base.Start(connection);
        SendNext(0, Load.Clock.Nanoseconds);
    }

    protected override bool Record(long number, long now, long sentAt)
    {
        bool measured = Load.Window.Contains(now);
        if (--_untilSample == 0)
        {
            _untilSample = _sampleEvery;
            (measured ? Load.Measured : Load.Unmeasured).Record(now - sentAt);
        }

        return measured;
    }

    protected override void OnAnswered(int slot, long now)
    {
        if (!_opened)
        {
            _opened = true;
            for (int i = 1; i < Slots; i++)
            {
                SendNext(i, now);
            }
        }

        SendNext(slot, now);
    }

    private void SendNext(int slot, long now)
    {
        if (now < Load.Window.EndNanoseconds && Sent < _budget)
        {
            Send(slot, now);
        }
        else if (Outstanding == 0)
        {
            Finish();
        }
    }
}
