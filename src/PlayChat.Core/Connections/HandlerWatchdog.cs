namespace PlayChat.Core.Connections;

/// <summary>
/// Tells of handlers and turns of rooms that do not return: those that block an event loop, where every other connection of the loop
/// waits for them, and those that hold a thread of the pool for long.
/// </summary>
/// <remarks>
/// It looks at the threads again and again; a handler or a turn that is found at the same step for longer than its patience is logged,
/// once.
/// </remarks>
internal sealed class HandlerWatchdog : IDisposable
{
    /// <summary>
    /// How long a handler or a turn may take on an event loop: far more than one that does not block needs. One that takes 0.22 s is
    /// always found.
    /// </summary>
    internal static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// The same on a thread of the pool. What took more than 100 ms there is logged when it returns (<see cref="Diagnostics.SlowWork"/>);
    /// this is for what may never return.
    /// </summary>
    internal static readonly TimeSpan PoolPatience = TimeSpan.FromSeconds(1);

    // Each look wakes threads, of an idle server as well, so there are as few as will do: two in a row tell. A little more than the
    // patience, or the second one, come a millisecond early, would not.
    private static readonly TimeSpan s_margin = TimeSpan.FromMilliseconds(10);

    private readonly ConnectionServices _services;
    private readonly Dictionary<BatchContext, Seen> _seen = [];
    private readonly ITimer _timer;

    /// <summary>Starts to look.</summary>
    /// <param name="services">Of the connections whose handlers it tells of.</param>
    /// <param name="hasEngines">Whether handlers run on event loops.</param>
    internal HandlerWatchdog(ConnectionServices services, bool hasEngines)
    {
        _services = services;
        TimeSpan interval = (hasEngines ? Patience : PoolPatience) + s_margin;
        _timer = services.Time.CreateTimer(static state => ((HandlerWatchdog)state!).Look(), this, interval, interval);
    }

    public void Dispose() => _timer.Dispose();

    private void Look()
    {
        lock (_seen)
        {
            long now = _services.Time.GetTimestamp();
            foreach (BatchContext thread in BatchContext.Threads)
            {
                long steps = thread.Steps;
                IWatchedTurn? turn = thread.Turn;
                Connection? connection = thread.Connection;
                bool isOurs = turn is not null ? turn.Metrics == _services.Metrics : connection?.Services == _services;
                if (!isOurs)
                {
                    _seen.Remove(thread);
                }
                else if (!_seen.TryGetValue(thread, out Seen seen) || seen.Steps != steps)
                {
                    _seen[thread] = new Seen(steps, now, IsTold: false);
                }
                else if (!seen.IsTold && _services.Time.GetElapsedTime(seen.Since, now) is var blocked && blocked >= PatienceOf(thread))
                {
                    _seen[thread] = seen with { IsTold = true };
                    Tell(thread, turn, connection, (long)blocked.TotalMilliseconds);
                }
            }
        }
    }

    private static TimeSpan PatienceOf(BatchContext thread) => thread.IsEngine ? Patience : PoolPatience;

    private void Tell(BatchContext thread, IWatchedTurn? turn, Connection? connection, long milliseconds)
    {
        if (turn is not null)
        {
            turn.OnBlocked(thread.Name, milliseconds);
        }
        else if (thread.IsEngine)
        {
            ConnectionLog.HandlerBlocks(_services.Logger, thread.Name, milliseconds, connection!.Id, thread.Header.PacketId);
        }
        else
        {
            ConnectionLog.HandlerHangs(_services.Logger, connection!.Id, thread.Header.PacketId, milliseconds);
        }
    }

    private readonly record struct Seen(long Steps, long Since, bool IsTold);
}
