namespace PlayChat.Core.Transport;

/// <summary>
/// TCP over the runtime's sockets: I/O completion ports on Windows, epoll or kqueue elsewhere. Stateless and thread-safe.
/// </summary>
public sealed class SocketTransport : ITransport
{
    // The runtime's own switch. The runtime reads it once, when the process makes its first socket engine.
    private const string InlineVariable = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    private SocketTransport()
    {
    }

    /// <summary>The instance for the whole process.</summary>
    public static ITransport Instance { get; } = new SocketTransport();

    bool ITransport.CompletesInline => RunsInline;

    /// <summary>Whether handlers run on the socket engine's threads; see <see cref="UnsafeUseInlineCompletions"/>.</summary>
    internal static bool RunsInline => !OperatingSystem.IsWindows() && Environment.GetEnvironmentVariable(InlineVariable) == "1";

    /// <summary>
    /// Completes the operations of the runtime's sockets on their engine's own threads, without a hop to the thread pool. That halves the
    /// CPU time per message, but <b>a handler that blocks then delays every socket of its engine</b>, including those of other libraries.
    /// </summary>
    /// <remarks>
    /// Applies to the whole process, irreversibly. Call it before the process makes its first socket; a later call has no effect. For Linux
    /// and macOS; Windows ignores it, because completion there takes no hop. Move work that may block to <c>Offload</c>. Thread-safe.
    /// </remarks>
    public static void UnsafeUseInlineCompletions() => Environment.SetEnvironmentVariable(InlineVariable, "1");

    TransportListener ITransport.Listen(EndPoint endPoint, TransportOptions options, ILogger? logger)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(options);
        return endPoint is DescriptorEndPoint inherited
            ? SocketListener.StartInherited(inherited, options)
            : SocketListener.Start(endPoint, options);
    }

    async ValueTask<TransportConnection> ITransport.ConnectAsync(
        EndPoint endPoint, TransportOptions options, ILogger? logger, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(options);
        Socket? socket = null;
        try
        {
            // Without a family given, a socket tries every address that a name resolves to.
            socket = endPoint is DnsEndPoint
                ? new Socket(SocketType.Stream, ProtocolType.Tcp)
                : new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            SocketListener.SetBufferSizes(socket, options);
            await socket.ConnectAsync(endPoint, cancellationToken).ConfigureAwait(false);
            socket.NoDelay = options.NoDelay;
            return new SocketTransportConnection(socket);
        }
        catch (SocketException e)
        {
            socket?.Dispose();
            throw new ConnectFailedException(endPoint, e);
        }
        catch (OperationCanceledException)
        {
            socket?.Dispose();
            throw;
        }
    }

    /// <summary>Whether a thread is one of the socket engine's on which handlers run.</summary>
    internal static bool IsInlineEngine(Thread thread) => RunsInline && thread.Name == SocketEngineThreads.EngineThreadName;
}
