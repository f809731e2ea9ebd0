using PlayChat.Benchmark.Failures;

namespace PlayChat.Benchmark.Machine;

/// <summary>The limits of the system that are checked before a load starts.</summary>
internal static class SystemLimits
{
    /// <summary>Checks all of them.</summary>
    /// <param name="connections">The connections to one server.</param>
    /// <param name="connectAtOnce">The connections being made at one time.</param>
    /// <exception cref="UsageException">A limit is too low. The message has the command that raises it.</exception>
    public static void Check(int connections, int connectAtOnce)
    {
        FileHandleLimit.Check(connections, FileHandleLimit.Read());
        PortRange.Check(connections, PortRange.Read());
        Backlog.Check(connectAtOnce, Backlog.Read());
    }
}
