namespace PlayChat.Benchmark.Run;

/// <summary>What the system must allow before a load begins.</summary>
internal static class SystemLimits
{
    /// <param name="connections">How many there will be, to one server.</param>
    /// <param name="connectAtOnce">How many of them are being made at one time.</param>
    /// <exception cref="UsageException">A limit is too low; the message holds the command that raises it.</exception>
    public static void Check(int connections, int connectAtOnce)
    {
        FileHandleLimit.Check(connections, FileHandleLimit.Read());
        PortRange.Check(connections, PortRange.Read());
        Backlog.Check(connectAtOnce, Backlog.Read());
    }
}
