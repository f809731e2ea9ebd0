using PlayChat.Benchmark.Failures;
using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;

namespace PlayChat.Benchmark.Echo;

/// <summary>One connection of an echo run. The counters may be read from anywhere.</summary>
/// <param name="load">What all connections share.</param>
internal abstract class EchoLink(EchoLoad load)
{
    private int _done;

    /// <summary>Requests sent.</summary>
    public abstract long Sent { get; }

    /// <summary>Requests that were to be sent.</summary>
    public virtual long Planned => Sent;

    /// <summary>
    /// Requests sent although as many were outstanding as may be: counted by what came and went, not by the slots that prevent it.
    /// </summary>
    public abstract long GatingViolations { get; }

    /// <summary>Right answers received.</summary>
    public abstract long Received { get; }

    /// <summary>Right answers received while it was measured.</summary>
    public abstract long Measured { get; }

    protected EchoLoad Load { get; } = load;

    /// <summary>Logs in, where the server wants that before an echo.</summary>
    /// <exception cref="RunFailedException">It refused.</exception>
    public abstract Task LoginAsync(Connection connection, string name, CancellationToken cancellationToken);

    /// <summary>The load begins.</summary>
    public abstract void Start(Connection connection);

    /// <summary>Handles an answer, on the connection's receive loop. Not called where the library finds the request of an answer.</summary>
    public virtual void OnFrame(Connection connection, Frame frame)
    {
    }

    /// <summary>Called once when the connection has ended.</summary>
    public virtual void OnClosed(CloseReason reason)
    {
        if (Volatile.Read(ref _done) == 0)
        {
            Load.Faults.Add($"A connection ended early: {reason}.");
        }

        Finish();
    }

    /// <summary>Nothing is outstanding, and nothing will be sent any more.</summary>
    protected void Finish()
    {
        if (Interlocked.Exchange(ref _done, 1) == 0)
        {
            Load.OnDone();
        }
    }
}
