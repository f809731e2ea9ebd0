namespace PlayChat.Benchmark.Echo;

/// <summary>The open loop: requests are sent when the plan says so, whatever the server does, and their latency counts from then.</summary>
/// <remarks>
/// When as many are outstanding as may be, the next waits for an answer, and that waiting is part of its latency. The generator's thread
/// and the receive loop take turns under a lock that is hardly ever contended.
/// </remarks>
/// <param name="place">Which of the plan's clients it is, in the order of their phases.</param>
internal sealed class OpenEchoLink(EchoLoad load, PacingPlan plan, int place, int clients) : FrameEchoLink(load)
{
    private readonly object _gate = new();
    private long _start; // when the plan begins, on the run's clock
    private long _planned;
    private bool _planHasEnded;

    public override long Planned => Volatile.Read(ref _planned);

    public override void OnFrame(Connection connection, Frame frame)
    {
        lock (_gate)
        {
            base.OnFrame(connection, frame);
        }
    }

    public void OnDue(long start)
    {
        lock (_gate)
        {
            _start = start;
            Volatile.Write(ref _planned, _planned + 1);
            SendDue();
        }
    }

    /// <summary>No more will be due.</summary>
    public void OnPlanEnd()
    {
        lock (_gate)
        {
            _planHasEnded = true;
            FinishIfDone();
        }
    }

    // By the planned time, so that a stop of the server is measured from its first moment on.
    protected override bool Record(long number, long now, long sentAt)
    {
        long planned = _start + plan[(number * clients) + place].Nanoseconds;
        bool measured = Load.Window.Contains(planned);
        if (measured)
        {
            Load.Measured.Record(now - planned);
            Load.Uncorrected.Record(now - sentAt);
        }
        else
        {
            Load.Unmeasured.Record(now - planned);
        }

        return measured;
    }

    protected override void OnAnswered(int slot, long now)
    {
        SendDue();
        FinishIfDone();
    }

    private void SendDue()
    {
        while (Sent < _planned && (int)(Sent % Slots) is var slot && IsFree(slot))
        {
            Send(slot, Load.Clock.Nanoseconds);
        }
    }

    private void FinishIfDone()
    {
        if (_planHasEnded && Outstanding == 0 && Sent == _planned)
        {
            Finish();
        }
    }
}
