using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core;

namespace PlayChat.Transport.Linux;

/// <summary>
/// TCP over epoll and direct system calls, without the runtime's sockets. It needs Linux, and is the fastest transport there.
/// </summary>
/// <remarks>
/// <para>
/// Links are distributed over event loops. Each loop is a thread that runs the handlers of its links. <b>A handler must not block that
/// thread</b>, neither for a lock nor for a file or a task, because it would delay every other link of the loop. Move work that may block
/// to <c>Offload</c>.
/// </para>
/// <para>Thread-safe. The loops' threads start with the first link or listener and end a second after the last.</para>
/// <para>
/// An exception that reaches an event loop is logged, if the transport was given a logger, and closes its link with
/// <see cref="CloseReason.TransportFault"/> or ends its listener. The other links of the loop stay open.
/// </para>
/// </remarks>
public sealed class LinuxTransport : ITransport, IDisposable
{
    private const int MaxLoops = 1024;

    private static readonly Lazy<LinuxTransport> s_shared = new(static () => new LinuxTransport());

    private readonly EpollLoop[] _loops;
    private readonly HashSet<LinuxListener> _listeners = []; // guarded by itself
    private readonly RawAddress[] _sources; // empty: the system chooses
    private uint _next;
    private uint _nextSource;
    private bool _disposed; // guarded by _listeners

    /// <summary>Makes a transport; nothing runs yet.</summary>
    /// <param name="options">The settings; without them their defaults.</param>
    /// <exception cref="PlatformNotSupportedException">This system is not 64-bit Linux; see <see cref="IsSupported"/>.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The number of loops is out of its range.</exception>
    public LinuxTransport(LinuxTransportOptions? options = null)
    {
        RequireSupport(IsSupported);
        int loops = options?.Loops ?? 0;
        ArgumentOutOfRangeException.ThrowIfNegative(loops, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(loops, MaxLoops, nameof(options));
        _sources = [.. (options?.SourceAddresses ?? []).Select(static address => RawAddress.From(new IPEndPoint(address, 0)))];
        _loops = new EpollLoop[loops == 0 ? Environment.ProcessorCount : loops];
        for (int i = 0; i < _loops.Length; i++)
        {
            _loops[i] = new EpollLoop($"PlayChat loop {i}", static thread => thread.UnsafeStart());
        }
    }

    /// <summary>Whether the transport runs on this system: it needs 64-bit Linux.</summary>
    public static bool IsSupported => OperatingSystem.IsLinux() && Environment.Is64BitProcess;

    /// <summary>
    /// A transport for the whole process with one loop per processor, so that servers share threads. Disposing it is optional.
    /// </summary>
    /// <exception cref="PlatformNotSupportedException">This system is not 64-bit Linux; see <see cref="IsSupported"/>.</exception>
    public static LinuxTransport Shared
    {
        get
        {
            RequireSupport(IsSupported);
            return s_shared.Value;
        }
    }

    /// <summary>Always <see langword="true"/>: handlers run on the event loops.</summary>
    public bool CompletesInline => true;

    /// <summary>The event loops. For tests.</summary>
    internal IReadOnlyList<EpollLoop> Loops => _loops;

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The transport has been disposed.</exception>
    public TransportListener Listen(EndPoint endPoint, TransportOptions options, ILogger? logger = null)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(options);
        logger ??= NullLogger.Instance;
        try
        {
            var listener = LinuxListener.Start(this, NextLoop(), endPoint, options, logger);
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
            throw new ListenFailedException(endPoint, e);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The transport has been disposed.</exception>
    public async ValueTask<TransportConnection> ConnectAsync(
        EndPoint endPoint, TransportOptions options, ILogger? logger = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(options);
        logger ??= NullLogger.Instance;
        RequireNotDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            return endPoint is DnsEndPoint name
                ? await ConnectToNameAsync(name, options, logger, cancellationToken).ConfigureAwait(false)
                : await ConnectToAsync(endPoint, options, logger, cancellationToken).ConfigureAwait(false);
        }
        catch (SocketException e)
        {
            throw new ConnectFailedException(endPoint, e);
        }
    }

    /// <summary>Ends every listener and aborts every link that a loop watches. Their owners still dispose them.</summary>
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
                target.Abort();
            }
        }
    }

    /// <exception cref="PlatformNotSupportedException">The system is not supported.</exception>
    internal static void RequireSupport(bool isSupported)
    {
        if (!isSupported)
        {
            throw new PlatformNotSupportedException("The native transport needs 64-bit Linux; use the default transport on this system.");
        }
    }

    /// <summary>Makes a link of an accepted socket.</summary>
    internal TransportConnection Open(int fd, in RawAddress remote, ILogger logger) =>
        new LinuxConnection(NextLoop(), fd, remote, logger, isNewcomer: true);

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

    private async ValueTask<TransportConnection> ConnectToNameAsync(
        DnsEndPoint name, TransportOptions options, ILogger logger, CancellationToken cancellationToken)
    {
        IPAddress[] addresses =
            await Dns.GetHostAddressesAsync(name.Host, name.AddressFamily, cancellationToken).ConfigureAwait(false);
        SocketException last = new((int)SocketError.HostNotFound);
        foreach (IPAddress address in addresses)
        {
            try
            {
                var endPoint = new IPEndPoint(address, name.Port);
                return await ConnectToAsync(endPoint, options, logger, cancellationToken).ConfigureAwait(false);
            }
            catch (SocketException e)
            {
                last = e; // the next address may answer
            }
        }

        throw last;
    }

    private async ValueTask<TransportConnection> ConnectToAsync(
        EndPoint endPoint, TransportOptions options, ILogger logger, CancellationToken cancellationToken)
    {
        int fd = LinuxSocket.Create(endPoint, options);
        RawAddress address = RawAddress.From((IPEndPoint)endPoint);
        var link = new LinuxConnection(NextLoop(), fd, in address, logger);
        try
        {
            if (_sources.Length > 0)
            {
                LinuxSocket.BindSource(fd, in _sources[(Interlocked.Increment(ref _nextSource) - 1) % (uint)_sources.Length]);
            }

            if (!LinuxSocket.Connect(fd, in address))
            {
                using (cancellationToken.UnsafeRegister(static state => ((LinuxConnection)state!).Abort(), link))
                {
                    await link.WaitForConnectAsync().ConfigureAwait(false);
                }

                int error = Libc.TakeError(fd);
                // Leave the loop, because the caller's code may block. A cancelled connect is reported as cancelled, whatever the
                // socket's error is.
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
