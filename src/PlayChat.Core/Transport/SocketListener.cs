namespace PlayChat.Core.Transport;

/// <summary>Accepts TCP connections. It sets up only the socket, so that it drains a rush of connects at once.</summary>
internal sealed class SocketListener : TransportListener
{
    // Links that are accepted in one go. In a rush the thread then runs first what waits for the links that are established.
    private const int MaxRun = 16;

    private readonly Socket _socket;
    private readonly TransportOptions _options;
    private int _run; // used by the accept under way only
    private volatile bool _disposed;

    private SocketListener(Socket socket, TransportOptions options)
    {
        _socket = socket;
        _options = options;
        EndPoint = socket.LocalEndPoint!;
    }

    public override EndPoint EndPoint { get; }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))] // an accept for each link, one at a time
    public override async ValueTask<TransportConnection?> AcceptAsync()
    {
        while (!_disposed)
        {
            if (++_run > MaxRun)
            {
                _run = 0;
                await Task.Yield();
            }

            try
            {
                Socket socket = await _socket.AcceptAsync(CancellationToken.None).ConfigureAwait(false);
                SocketEngineThreads.GatherEvents();
                if (TryConfigure(socket))
                {
                    return new SocketTransportConnection(socket);
                }
            }
            catch (ObjectDisposedException)
            {
                return null;
            }
            catch (SocketException e) when (_disposed || e.SocketErrorCode is SocketError.OperationAborted)
            {
                return null;
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.ConnectionReset or SocketError.ConnectionAborted)
            {
                // The peer gave up while it waited in the backlog. Nothing is lost; take the next one.
                continue;
            }
            catch (SocketException e)
            {
                throw new IOException($"A connection on {EndPoint} could not be accepted: {e.Message}", e);
            }
        }

        return null;
    }

    public override ValueTask DisposeAsync()
    {
        _disposed = true;
        _socket.Dispose();
        return ValueTask.CompletedTask;
    }

    internal static SocketListener Start(EndPoint endPoint, TransportOptions options)
    {
        Socket? socket = null;
        try
        {
            socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            if (endPoint.AddressFamily == AddressFamily.InterNetworkV6)
            {
                socket.DualMode = options.DualStack;
            }

            // No ReuseAddress: on Unix .NET lets a restarted server bind its port at once without it. With it .NET also sets
            // SO_REUSEPORT, and two servers would share a port.
            SetBufferSizes(socket, options); // before listening: accepted sockets inherit them
            socket.Bind(endPoint);
            socket.Listen(options.Backlog);
            return new SocketListener(socket, options);
        }
        catch (SocketException e)
        {
            socket?.Dispose();
            throw new ListenFailedException(endPoint, e);
        }
    }

    internal static SocketListener StartInherited(DescriptorEndPoint endPoint, TransportOptions options)
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new ListenFailedException(endPoint, new PlatformNotSupportedException("descriptors of other processes need Linux"));
        }

        var handle = new SafeSocketHandle(endPoint.Descriptor, ownsHandle: true);
        try
        {
            var socket = new Socket(handle);
            RequireListener(socket);
            SetBufferSizes(socket, options);
            return new SocketListener(socket, options);
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            handle.SetHandleAsInvalid(); // the descriptor stays the caller's: its number may be another file
            throw new ListenFailedException(endPoint, e);
        }
    }

    /// <exception cref="SocketException">The socket is of another kind, or does not listen.</exception>
    private static void RequireListener(Socket socket)
    {
        if (socket is not { SocketType: SocketType.Stream, AddressFamily: AddressFamily.InterNetwork or AddressFamily.InterNetworkV6 })
        {
            throw new SocketException((int)SocketError.SocketNotSupported);
        }

        if ((int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.AcceptConnection)! == 0)
        {
            throw new SocketException((int)SocketError.InvalidArgument);
        }
    }

    internal static void SetBufferSizes(Socket socket, TransportOptions options)
    {
        if (options.SendBufferBytes > 0)
        {
            socket.SendBufferSize = options.SendBufferBytes;
        }

        if (options.ReceiveBufferBytes > 0)
        {
            socket.ReceiveBufferSize = options.ReceiveBufferBytes;
        }
    }

    private bool TryConfigure(Socket socket)
    {
        try
        {
            socket.NoDelay = _options.NoDelay;
            return true;
        }
        catch (SocketException)
        {
            // The peer has disconnected already.
            socket.Dispose();
            return false;
        }
    }
}
