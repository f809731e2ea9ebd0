namespace PlayChat.Core.Transport;

/// <summary>Makes links of duplex pipes: those that other code hands over, and those of a connect function.</summary>
/// <remarks>
/// <para>
/// On the server's side, <see cref="AcceptAsync"/> makes a pipe into a link of the transport's listener, for example a connection that
/// another server has accepted. On the client's side, <see cref="ITransport.ConnectAsync"/> calls the connect function. Without one it
/// makes a pair of pipes to the transport's own listener.
/// </para>
/// <para>
/// A transport has one listener at a time. Its address is only a name, so a port 0 stays 0. The link owns the pipe: completing the output
/// is the FIN, and an abort completes both halves with an exception. Whether the peer still receives what it has not read by then, and
/// whether the other direction survives a FIN, depends on the pipe. Back pressure is the pipe's: a send completes when its flush does.
/// </para>
/// <para>Thread-safe.</para>
/// </remarks>
/// <param name="connect">
/// Makes a client's pipe to an address. An <see cref="IOException"/> or <see cref="SocketException"/> of it becomes a
/// <see cref="ConnectFailedException"/>. Must be thread-safe. By default clients are connected to the transport's own listener.
/// </param>
public sealed class PipeTransport(Func<EndPoint, CancellationToken, ValueTask<IDuplexPipe>>? connect = null) : ITransport
{
    private static readonly PipeOptions s_pairOptions = new(useSynchronizationContext: false);

    private PipeListener? _listener;

    /// <summary>Makes two pipes, of which each end reads what the other one writes.</summary>
    /// <param name="options">
    /// Thresholds, memory and schedulers of both pipes. By default a flush waits while 64 KB are unread, and continuations run on the
    /// thread pool.
    /// </param>
    internal static (IDuplexPipe One, IDuplexPipe Other) CreatePair(PipeOptions? options = null)
    {
        var forth = new Pipe(options ?? s_pairOptions);
        var back = new Pipe(options ?? s_pairOptions);
        return (new DuplexPipe(back.Reader, forth.Writer), new DuplexPipe(forth.Reader, back.Writer));
    }

    /// <summary>Makes a pipe into a link of the listener, and completes when that link has ended.</summary>
    /// <param name="pipe">The link owns it and completes both halves. Other code must not use it any more.</param>
    /// <param name="remote">The peer's address; by default the link has none, and no limit per address applies to it.</param>
    /// <param name="local">This side's address; by default that of the listener.</param>
    /// <param name="cancellationToken">Aborts the link. The task then still completes without an exception.</param>
    /// <returns>
    /// Completes when both halves are completed and nothing uses the pipe any more. Never faults. While nothing listens, or no longer, the
    /// link is aborted at once.
    /// </returns>
    /// <remarks>
    /// When <see cref="TransportOptions.Backlog"/> pipes wait for the server to accept them, a further one waits as well. In an ASP.NET
    /// Core <c>ConnectionHandler</c>, return this task from <c>OnConnectedAsync</c>.
    /// </remarks>
    public async Task AcceptAsync(
        IDuplexPipe pipe, EndPoint? remote = null, EndPoint? local = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(pipe);
        PipeListener? listener = Volatile.Read(ref _listener);
        var link = new PipeConnection(pipe, remote, local ?? listener?.EndPoint);
        using CancellationTokenRegistration abort = cancellationToken.Register(static state => ((PipeConnection)state!).Abort(), link);
        await OfferAsync(listener, link).ConfigureAwait(false);
        await link.Ended.ConfigureAwait(false);
    }

    TransportListener ITransport.Listen(EndPoint endPoint, TransportOptions options, ILogger? logger)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        ArgumentNullException.ThrowIfNull(options);
        var listener = new PipeListener(endPoint, options.Backlog, Forget);
        if (Interlocked.CompareExchange(ref _listener, listener, null) is { } other)
        {
            throw new ListenFailedException(
                endPoint, new InvalidOperationException($"this transport listens on {other.EndPoint} already; make another transport"));
        }

        return listener;
    }

    async ValueTask<TransportConnection> ITransport.ConnectAsync(
        EndPoint endPoint, TransportOptions options, ILogger? logger, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        if (connect is not null)
        {
            return new PipeConnection(await OpenAsync(endPoint, cancellationToken).ConfigureAwait(false), endPoint, local: null);
        }

        cancellationToken.ThrowIfCancellationRequested();
        PipeListener? listener = Volatile.Read(ref _listener);
        if (listener is null || !listener.EndPoint.Equals(endPoint))
        {
            throw new ConnectFailedException(
                endPoint,
                $"Cannot connect to {endPoint}: connection refused; no server listens at this address.",
                new InvalidOperationException());
        }

        (IDuplexPipe client, IDuplexPipe server) = CreatePair();
        await OfferAsync(listener, new PipeConnection(server, remote: null, endPoint)).ConfigureAwait(false);
        return new PipeConnection(client, endPoint, local: null);
    }

    private static async ValueTask OfferAsync(PipeListener? listener, PipeConnection link)
    {
        if (listener is null || !await listener.TryOfferAsync(link).ConfigureAwait(false))
        {
            link.Abort();
            link.Dispose();
        }
    }

    private async ValueTask<IDuplexPipe> OpenAsync(EndPoint endPoint, CancellationToken cancellationToken)
    {
        try
        {
            return await connect!(endPoint, cancellationToken).ConfigureAwait(false);
        }
        catch (SocketException e)
        {
            throw new ConnectFailedException(endPoint, e);
        }
        catch (IOException e) when (e is not ConnectFailedException)
        {
            throw new ConnectFailedException(endPoint, $"Cannot connect to {endPoint}: {e.Message}", e);
        }
    }

    private void Forget(PipeListener listener) => Interlocked.CompareExchange(ref _listener, null, listener);
}
