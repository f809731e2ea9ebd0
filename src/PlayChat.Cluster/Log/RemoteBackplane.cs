using System.Diagnostics.Metrics;

namespace PlayChat.Cluster.Log;

/// <summary>A backplane whose log is reached by connections that may break. It connects, and connects again, until it is
/// disposed.</summary>
/// <remarks>
/// <para>An engine implements a session, <see cref="RunSessionAsync"/>: it connects, calls <see cref="OnReady"/>, and runs its loops
/// until the first of them ends. The next session begins 50 ms later. Further attempts follow at intervals of at most a second.</para>
/// <para>In each session the engine attaches every subscription, and then has a greeting written for it: <see cref="Greet"/>.</para>
/// </remarks>
public abstract class RemoteBackplane : RoomBackplane
{
    private static readonly TimeSpan s_firstDelay = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_longestDelay = TimeSpan.FromSeconds(1);

    private readonly object _gate = new();
    private readonly List<ShardSubscription> _greetings = []; // guarded by _gate: to be written
    private readonly CancellationTokenSource _stop = new();
    private Task _running = Task.CompletedTask;
    private CancellationTokenSource? _session; // guarded by _gate
    private bool _wasReady; // the last session; for the loop of sessions, which awaits each

    /// <param name="shardCount">How many shards there are, 1 to 65,536.</param>
    /// <param name="origin">This node and its present life.</param>
    /// <param name="options">The bounds; checked and copied.</param>
    /// <param name="loggers">Where to log; nowhere without it.</param>
    /// <param name="meters">Makes, and then owns, the meter; without it the backplane does.</param>
    /// <param name="time">The clock; the system's without it.</param>
    /// <exception cref="ArgumentOutOfRangeException">A value is outside of its range.</exception>
    protected RemoteBackplane(
        int shardCount,
        RecordOrigin origin,
        BackplaneOptions options,
        ILoggerFactory? loggers = null,
        IMeterFactory? meters = null,
        TimeProvider? time = null)
        : base(shardCount, origin, options, loggers, meters, time)
    {
    }

    /// <summary>Where the log is, for log messages. Holds no secret.</summary>
    protected abstract string Location { get; }

    /// <summary>Begins the first session. The engine's constructor calls it at its end.</summary>
    protected void Start() => _running = Task.Run(RunAsync);

    /// <summary>Connects, and runs until the session is cancelled or a connection breaks. A session has ended when the task has: nothing of
    /// it is sent afterwards.</summary>
    /// <param name="session">The engine may cancel it too.</param>
    protected abstract Task RunSessionAsync(CancellationTokenSource session);

    /// <summary>The session can write the log and read it.</summary>
    protected void OnReady()
    {
        _wasReady = true;
        ClusterLog.Connected(Logger, Location);
        OnConnected();
    }

    /// <summary>Runs the loops of a session until the first one ends. Then it cancels the session and waits for the others.</summary>
    /// <param name="session">The session, whose token the loops have.</param>
    /// <param name="loops">The loops.</param>
    protected static async Task RunLoopsAsync(CancellationTokenSource session, params Task[] loops)
    {
        ArgumentNullException.ThrowIfNull(session);
        Task first = await Task.WhenAny(loops).ConfigureAwait(false);
        await session.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(loops).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await first.ConfigureAwait(false);
    }

    /// <summary>A subscription is attached: the greeting that it waits for may be written.</summary>
    protected void Greet(ShardSubscription subscription)
    {
        lock (_gate)
        {
            _greetings.Add(subscription);
        }
    }

    /// <summary>Takes a greeting that a subscription of a shard waits for. The engine writes it before the batches of the queue.</summary>
    /// <param name="shard">The shard.</param>
    /// <param name="epoch">The epoch of the shard's log.</param>
    /// <returns>The greeting as a batch; <see langword="null"/> when none is due.</returns>
    protected byte[]? TakeGreeting(int shard, uint epoch)
    {
        lock (_gate)
        {
            foreach (ShardSubscription subscription in _greetings)
            {
                if (subscription.Shard == shard)
                {
                    _greetings.Remove(subscription);
                    return RecordBatch.WriteHello(Origin, epoch, subscription.Nonce);
                }
            }

            return null;
        }
    }

    /// <summary>Draws the jitter of a delay, 0 to 1. Simulations draw it themselves.</summary>
    internal virtual double DrawJitter() => Random.Shared.NextDouble();

    /// <inheritdoc/>
    protected sealed override void OnSilent()
    {
        lock (_gate)
        {
            _ = _session?.CancelAsync();
        }
    }

    /// <inheritdoc/>
    protected override async ValueTask DisposeCoreAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        TimeSpan delay = s_firstDelay;
        while (!_stop.IsCancellationRequested)
        {
            Exception? end = await RunOnceAsync().ConfigureAwait(false);
            OnLost();
            if (_stop.IsCancellationRequested)
            {
                return;
            }

            delay = _wasReady ? s_firstDelay : delay * 2 < s_longestDelay ? delay * 2 : s_longestDelay;
            if (_wasReady || delay == s_firstDelay * 2)
            {
                // The innermost one says why; drivers wrap it as "unreachable".
                ClusterLog.Lost(Logger, Location, end?.GetBaseException().Message ?? "it did not answer");
            }

            // Jitter, so that the nodes do not all connect in the same moment.
            await Task.Delay(delay * (0.5 + DrawJitter()), Time, _stop.Token)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <returns>What ended the session.</returns>
    private async Task<Exception?> RunOnceAsync()
    {
        using var session = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        lock (_gate)
        {
            _session = session;
            _greetings.Clear(); // every subscription attaches anew
        }

        _wasReady = false;
        try
        {
            await RunSessionAsync(session).ConfigureAwait(false);
            return null;
        }
        catch (Exception exception)
        {
            // All kinds: drivers throw what their parts throw when a connection ends during a call, and a log that is not reached is what
            // this loop is for.
            return exception is OperationCanceledException ? null : exception;
        }
        finally
        {
            lock (_gate)
            {
                _session = null;
            }
        }
    }
}
