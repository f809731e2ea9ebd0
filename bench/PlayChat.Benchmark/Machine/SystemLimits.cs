using PlayChat.Benchmark.Failures;

namespace PlayChat.Benchmark.Machine;

/// <summary>The limits of the system that are checked before a load starts.</summary>
internal static class SystemLimits
{
    /// <summary>Checks all of them.</summary>
    /// <param name="connections">The connections to one server.</param>
    /// <param name="connectAtOnce">The connections being made at one time.</param>
    /// <param name="sourceAddresses">The addresses that they come from; 0 for one.</param>
    /// <exception cref="UsageException">A limit is too low. The message has the command that raises it.</exception>
    public static void Check(int connections, int connectAtOnce, int sourceAddresses = 0)
    {
        FileHandleLimit.Check(connections, FileHandleLimit.Read());
        PortRange.Check(connections, PortRange.Read(), Math.Max(1, sourceAddresses));
        Backlog.Check(connectAtOnce, Backlog.Read());
    }
}
