namespace PlayChat.Connector;

/// <summary>
/// The links of a session, one after the other, until the session ends. One loop owns them, so at most one exists at a time, and no packet
/// of an older one arrives beside those of the newest.
/// </summary>
#pragma warning disable CA1001 // the source has no timer and no handle, and outlives the loop for callers of CloseAsync
internal sealed class LastingLink(IReadOnlyList<Uri> servers, ClientOptions options, GameClient client)
{
    private readonly CancellationTokenSource _leaving = new();
    private readonly TaskCompletionSource<ReconnectEnd> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Random _random = new(); // of the loop alone
    private Link? _current;
    private int _server; // which address the next attempt begins with
    private int _state;
    private volatile bool _isRunning;

    /// <summary>The newest link, also while it is being entered.</summary>
    internal Link? Current => Volatile.Read(ref _current);

    internal ClientState State => (ClientState)Volatile.Read(ref _state);

    /// <summary>Completes with the end. Never faults.</summary>
    internal Task<ReconnectEnd> Closed => _closed.Task;

    /// <summary>Makes the first link and enters it.</summary>
    internal async Task OpenAsync(CancellationToken cancellationToken)
    {
        using var opening = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _leaving.Token);
        Link link = await ReturnAsync(isReturn: false, opening.Token).ConfigureAwait(false);
        _isRunning = true;
        _ = Task.Run(() => RunAsync(link), CancellationToken.None);
    }

    /// <summary>The session is on the newest link from now on.</summary>
    internal void Entered() => Volatile.Write(ref _state, (int)ClientState.Connected);

    /// <summary>Closes the link in order, or ends the attempts to connect.</summary>
    internal async Task CloseAsync()
    {
        _leaving.Cancel();
        if (Current is { } link)
        {
            await link.CloseAsync().ConfigureAwait(false);
        }

        if (_isRunning)
        {
            await Closed.ConfigureAwait(false);
        }
    }

    private async Task RunAsync(Link first)
    {
        ReconnectEnd? end = null;
        for (Link link = first; end is null;)
        {
            LinkEnd broken = await link.Ended.ConfigureAwait(false);
            try
            {
                end = await ComeBackAsync(broken).ConfigureAwait(false);
            }
            catch (Exception) when (_leaving.IsCancellationRequested)
            {
                // Whatever Enter throws then: this side has closed, and CloseAsync waits for the end.
                end = new ReconnectEnd(CloseReason.LocalClose, message: null, error: null);
            }
            catch (Exception e)
            {
                end = new ReconnectEnd(CloseReason.TransportFault, e.Message, e); // a fault of our own
            }

            link = Current ?? first;
        }

        Volatile.Write(ref _state, (int)ClientState.Closed);
        client.OnEnded(end);
        _closed.SetResult(end);
    }

    /// <summary>Makes attempts until one succeeds.</summary>
    /// <returns><see langword="null"/> when there is a new link, else the end.</returns>
    private async Task<ReconnectEnd?> ComeBackAsync(LinkEnd broken)
    {
        _leaving.Token.ThrowIfCancellationRequested();
        if (!options.Reconnect || !(broken.ReturnAfter > TimeSpan.Zero || MayReturn(broken.Reason)))
        {
            return new ReconnectEnd(broken.Reason, broken.Message, error: null);
        }

        Volatile.Write(ref _state, (int)ClientState.Reconnecting);
        client.OnBroken(broken.Reason);
        // The system of a frozen server still accepts connections, so an attempt there takes the whole time-out.
        if (broken.Reason is CloseReason.IdleTimeout or CloseReason.ServerShutdown or CloseReason.NodeFenced)
        {
            MoveOn();
        }

        DateTime giveUpAt = DateTime.UtcNow + options.GiveUpAfter + broken.ReturnAfter;
        TimeSpan advice = broken.ReturnAfter > TimeSpan.Zero ? broken.ReturnAfter
            : CloseAdvices.Of(broken.Reason) == CloseAdvice.ReconnectLater ? options.MaxDelay
            : TimeSpan.Zero;
        for (int number = 1; ; number++)
        {
#pragma warning disable CA5394 // spreads the clients that one fault has cut off at the same moment; it need not be secret
            TimeSpan delay = advice > TimeSpan.Zero ? advice
                : ReconnectDelay.Before(options.FirstDelay, options.MaxDelay, number, _random.NextDouble());
#pragma warning restore CA5394
            client.OnReconnecting(new ReconnectAttempt(number, delay, broken.Reason, broken.Message));
            await Task.Delay(delay, _leaving.Token).ConfigureAwait(false);
            try
            {
                await ReturnAsync(isReturn: true, _leaving.Token).ConfigureAwait(false);
                return null;
            }
            catch (Exception e) when (!_leaving.IsCancellationRequested)
            {
                LinkEnd? farewell = Current?.Farewell;
                advice = farewell?.ReturnAfter ?? TimeSpan.Zero;
                if (advice == TimeSpan.Zero && !MayPass(e))
                {
                    return new ReconnectEnd((e as ConnectionClosedException)?.Reason ?? broken.Reason, farewell?.Message ?? e.Message, e);
                }

                if (DateTime.UtcNow >= giveUpAt)
                {
                    return new ReconnectEnd(broken.Reason, broken.Message, e);
                }
            }
        }
    }

    /// <summary>Makes one attempt. When it fails, its link has ended.</summary>
    private async Task<Link> ReturnAsync(bool isReturn, CancellationToken cancellationToken)
    {
        Link link = await ConnectAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await client.EnterAsync(link, isReturn, cancellationToken).ConfigureAwait(false);
            return link;
        }
        catch (Exception e)
        {
            MoveOn();
            bool hadEnded = link.EndReason != CloseReason.None;
            link.Abort(CloseReason.LocalClose);
            LinkEnd end = await link.Ended.ConfigureAwait(false);
            if (hadEnded && e is OperationCanceledException && !cancellationToken.IsCancellationRequested)
            {
                throw new ConnectionClosedException(0, end.Reason);
            }

            throw;
        }
    }

    private async Task<Link> ConnectAsync(CancellationToken cancellationToken)
    {
        Volatile.Write(ref _current, null);
        for (int failures = 1; ; failures++)
        {
            try
            {
                Wire wire = await Connecting.ConnectAsync(servers[_server], options, cancellationToken).ConfigureAwait(false);
                var link = new Link(wire, options, client.OnPacketAsync);
                Volatile.Write(ref _current, link);
                return link;
            }
            catch (ConnectFailedException)
            {
                MoveOn();
                if (failures >= servers.Count)
                {
                    throw;
                }
            }
        }
    }

    private void MoveOn() => _server = (_server + 1) % servers.Count;

    private static bool MayReturn(CloseReason reason) => CloseAdvices.Of(reason) != CloseAdvice.DoNotReconnect;

    private static bool MayPass(Exception e) => e switch
    {
        ConnectionClosedException closed => MayReturn(closed.Reason),
        ConnectFailedException or TimeoutException or OperationCanceledException => true,
        _ => false,
    };
}
