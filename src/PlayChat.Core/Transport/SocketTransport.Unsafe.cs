namespace PlayChat.Core.Transport;

// What makes it faster, for those who can keep the conditions.
public sealed partial class SocketTransport
{
    // The runtime's own switch, read once, when the process makes its first socket engine.
    private const string InlineVariable = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    /// <summary>Whether handlers run on the socket engine's threads.</summary>
    internal static bool RunsInline => !OperatingSystem.IsWindows() && Environment.GetEnvironmentVariable(InlineVariable) == "1";

    /// <summary>Whether handlers run on this thread because of it.</summary>
    internal static bool IsInlineEngine(Thread thread) => RunsInline && thread.Name == SocketEngineThreads.EngineThreadName;

    /// <summary>
    /// Has the runtime's sockets complete on their engine's own threads, without a hop to the thread pool: half the CPU time a message, but <b>a handler
    /// that blocks then holds up every socket of its engine</b>, those of other libraries included.
    /// </summary>
    /// <remarks>
    /// For the whole process and not to be undone; only before the process makes its first socket, later it changes nothing. Linux and macOS;
    /// Windows has nothing to gain and ignores it. Work that may block goes to <c>Offload</c>. Thread-safe.
    /// </remarks>
    public static void UnsafeUseInlineCompletions() => Environment.SetEnvironmentVariable(InlineVariable, "1");
}
