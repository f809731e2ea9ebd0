using System.Net;
using System.Net.Sockets;

namespace PlayChat.Core.Transport.Linux;

/// <summary>TCP by epoll and system calls of its own, without the runtime's sockets: Linux alone, and the fastest there.</summary>
/// <remarks>
/// <para>
/// Links are given to event loops in turn; everything about a link that has to wait, and so its frames' handlers, runs on its loop's thread.
/// <b>A handler must not block there</b>, not for a lock, a file or a task: it would hold up every other link of the loop. What may block
/// goes to <c>Offload</c>.
/// </para>
/// <para>Thread-safe. The loops' threads start with the first link or listener and end a second after the last.</para>
/// </remarks>
public sealed class LinuxTransport : ITransport, IDisposable
{
    private const int MaxLoops = 1024;

    private static readonly Lazy<LinuxTransport> s_shared = new(static () => new LinuxTransport());

    private readonly EpollLoop[] _loops;
    private readonly HashSet<LinuxListener> _listeners = []; // guarded by itself
    private uint _next;
    private bool _disposed; // guarded by _listeners

    /// <summary>Makes a transport; nothing runs yet.</summary>
    /// <param name="options">The number of loops.</param>
    /// <exception cref="PlatformNotSupportedException">This is not Linux; see <see cref="IsSupported"/>.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The number is out of its range.</exception>
    public LinuxTransport(LinuxTransportOptions? options = null)
    {
        RequireSupport(IsSupported);
        int loops = options?.Loops ?? 0;
        ArgumentOutOfRangeException.ThrowIfNegative(loops, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(loops, MaxLoops, nameof(options));
        _loops = new EpollLoop[loops == 0 ? Environment.ProcessorCount : loops];
        for (int i = 0; i < _loops.Length; i++)
        {
            _loops[i] = new EpollLoop($"PlayChat loop {i}", static thread => thread.UnsafeStart());
        }
    }

    /// <summary>Whether this system has what it needs: 64-bit Linux.</summary>
    public static bool IsSupported => OperatingSystem.IsLinux() && Environment.Is64BitProcess;

    /// <summary>One for the whole process, with a loop for each processor, so that servers share threads. Need not be disposed.</summary>
    /// <exception cref="PlatformNotSupportedException">This is not Linux; see <see cref="IsSupported"/>.</exception>
    public static LinuxTransport Shared
    {
        get
        {
            RequireSupport(IsSupported);
            return s_shared.Value;
        }
    }

    /// <summary>Its loops. For tests.</summary>
    internal IReadOnlyList<EpollLoop> Loops => _loops;

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The transport has been disposed.</exception>
    public TransportListener Listen(EndPoint endPoint, TransportOptions options)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(options);
        try
        {
            var listener = LinuxListener.Start(this, NextLoop(), endPoint, options);
            lock (_listeners)
            {
                if (!_disposed)
                {
                    _listeners.Add(listener);
                    return listener;
                }
            }

            _ = listener.DisposeAsync();
            throw new ObjectDisposedException(nameof(LinuxTransport));
        }
        catch (SocketException e)
        {
            throw SocketErrors.CannotListen(endPoint, e);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The transport has been disposed.</exception>
    public async ValueTask<TransportConnection> ConnectAsync(
        EndPoint endPoint, TransportOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(options);
        RequireNotDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            return endPoint is DnsEndPoint name
                ? await ConnectAsync(name, options, cancellationToken).ConfigureAwait(false)
                : await ConnectToAsync(endPoint, options, cancellationToken).ConfigureAwait(false);
        }
        catch (SocketException e)
        {
            throw SocketErrors.CannotConnect(endPoint, e);
        }
    }

    /// <summary>Ends every listener and aborts every link that has begun to receive. Their owners still dispose them.</summary>
    public void Dispose()
    {
        LinuxListener[] listeners;
        lock (_listeners)
        {
            _disposed = true;
            listeners = [.. _listeners];
        }

        foreach (LinuxListener listener in listeners)
        {
            _ = listener.DisposeAsync(); // completes at once
        }

        foreach (EpollLoop loop in _loops)
        {
            foreach (IEpollTarget target in loop.Targets)
            {
                (target as LinuxConnection)?.Abort();
            }
        }
    }

    /// <exception cref="PlatformNotSupportedException">It is not.</exception>
    internal static void RequireSupport(bool isSupported)
    {
        if (!isSupported)
        {
            throw new PlatformNotSupportedException("The native transport needs 64-bit Linux; use the default transport on this system.");
        }
    }

    /// <summary>Makes a link of a socket that was accepted.</summary>
    internal TransportConnection Open(int fd, in RawAddress remote) => new LinuxConnection(NextLoop(), fd, remote);

    internal void Forget(LinuxListener listener)
    {
        lock (_listeners)
        {
            _listeners.Remove(listener);
        }
    }

    private EpollLoop NextLoop() => _loops[(Interlocked.Increment(ref _next) - 1) % (uint)_loops.Length];

    private void RequireNotDisposed()
    {
        lock (_listeners)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
        }
    }

    private async ValueTask<TransportConnection> ConnectAsync(DnsEndPoint name, TransportOptions options, CancellationToken cancellationToken)
    {
        IPAddress[] addresses = await Dns.GetHostAddressesAsync(name.Host, name.AddressFamily, cancellationToken).ConfigureAwait(false);
        SocketException last = new((int)SocketError.HostNotFound);
        foreach (IPAddress address in addresses)
        {
            try
            {
                return await ConnectToAsync(new IPEndPoint(address, name.Port), options, cancellationToken).ConfigureAwait(false);
            }
            catch (SocketException e)
            {
                last = e; // the next one may answer
            }
        }

        throw last;
    }

    private async ValueTask<TransportConnection> ConnectToAsync(EndPoint endPoint, TransportOptions options, CancellationToken cancellationToken)
    {
        int fd = LinuxSocket.Create(endPoint, options);
        RawAddress address = RawAddress.From((IPEndPoint)endPoint);
        var link = new LinuxConnection(NextLoop(), fd, in address);
        try
        {
            if (!LinuxSocket.Connect(fd, in address))
            {
                using (cancellationToken.UnsafeRegister(static state => ((LinuxConnection)state!).Abort(), link))
                {
                    await link.WaitForConnectAsync().ConfigureAwait(false);
                }

                int error = link.TakeConnectError();
                // Off the loop, where the caller's code must not block; and cancelled is what it is called, whatever the socket says.
                await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
                cancellationToken.ThrowIfCancellationRequested();
                if (error != 0)
                {
                    throw LinuxErrors.ToException(error);
                }
            }

            return link;
        }
        catch
        {
            link.Dispose();
            throw;
        }
    }
}
