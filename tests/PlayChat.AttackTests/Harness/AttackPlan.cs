using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests.Harness;

/// <summary>What attackers share: the server's port, and when the attack is over. Thread-safe.</summary>
/// <param name="port">The server's.</param>
/// <param name="connections">Connections to make, all attackers together.</param>
/// <param name="stop">Ends the attack before.</param>
internal sealed class AttackPlan(int port, long connections = long.MaxValue, CancellationToken stop = default)
{
    private long _begun;

    /// <summary>The server's port.</summary>
    public int Port => port;

    /// <summary>Whether every attacker has the same address. Default false: each has its own.</summary>
    public bool OneAddress { get; init; }

    /// <summary>What the server shows, where the attack goes over TLS.</summary>
    public TestCertificate? Certificate { get; init; }

    /// <summary>Whether the attack has ended.</summary>
    public bool IsOver => stop.IsCancellationRequested;

    /// <summary>Connections that were begun.</summary>
    public long Begun => Math.Min(Interlocked.Read(ref _begun), connections);

    /// <summary>Takes the next connection.</summary>
    public bool TryBegin() => !IsOver && Interlocked.Increment(ref _begun) <= connections;
}
