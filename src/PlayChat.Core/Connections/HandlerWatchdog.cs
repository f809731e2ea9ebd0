namespace PlayChat.Core.Connections;

/// <summary>Tells of handlers that block an event loop, where every other connection of the loop waits for them.</summary>
/// <remarks>
/// It looks at the loops again and again; a handler that is found at the same frame for longer than its <see cref="Patience"/> is logged,
/// once.
/// </remarks>
internal sealed class HandlerWatchdog : IDisposable
{
    /// <summary>
    /// How long a handler may take: far more than a handler that does not block needs. A handler that takes 0.22 s is always found.
    /// </summary>
    internal static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(100);

    // Each look wakes threads, of an idle server as well, so there are as few as will do: two in a row tell. A little more than the
    // patience, or the second one, come a millisecond early, would not.
    private static readonly TimeSpan s_interval = Patience + TimeSpan.FromMilliseconds(10);

    private readonly ConnectionServices _services;
    private readonly Dictionary<BatchContext, Seen> _seen = [];
    private readonly ITimer _timer;

    /// <summary>Starts to look.</summary>
    /// <param name="services">Of the connections whose handlers it tells of.</param>
    internal HandlerWatchdog(ConnectionServices services)
    {
        _services = services;
        _timer = services.Time.CreateTimer(static state => ((HandlerWatchdog)state!).Look(), this, s_interval, s_interval);
    }

    public void Dispose() => _timer.Dispose();

    private void Look()
    {
        lock (_seen)
        {
            long now = _services.Time.GetTimestamp();
            foreach (BatchContext thread in BatchContext.Engines)
            {
                long frames = thread.Frames;
                if (thread.Connection is not { } connection || connection.Services != _services)
                {
                    _seen.Remove(thread);
                }
                else if (!_seen.TryGetValue(thread, out Seen seen) || seen.Frames != frames)
                {
                    _seen[thread] = new Seen(frames, now, IsTold: false);
                }
                else if (!seen.IsTold && _services.Time.GetElapsedTime(seen.Since, now) is var blocked && blocked >= Patience)
                {
                    _seen[thread] = seen with { IsTold = true };
                    ConnectionLog.HandlerBlocks(
                        _services.Logger, thread.Name, (long)blocked.TotalMilliseconds, connection.Id, thread.Header.PacketId);
                }
            }
        }
    }

    private readonly record struct Seen(long Frames, long Since, bool IsTold);
}
