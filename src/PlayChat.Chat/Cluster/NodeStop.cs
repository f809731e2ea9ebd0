namespace PlayChat.Chat.Cluster;

/// <summary>How a node leaves its cluster in order: what it tells the directory, and how long it waits for its clients.
/// Thread-safe.</summary>
internal sealed class NodeStop(TimeSpan returnWithin, OtherNodes others, TimeProvider time, ILogger logger)
{
    // A directory that is away must not delay the stop.
    private static readonly TimeSpan s_directoryTimeout = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(50);

    private volatile bool _isDraining;

    /// <summary>How long after <c>Sessions:ReturnWithin</c> a stopping node still counts its players as members.</summary>
    public static TimeSpan ReturnMargin { get; } = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Another node for a client that wants to enter while this one stops, as HOST:PORT; otherwise <see langword="null"/>.
    /// </summary>
    public string? FindWayOut() => _isDraining ? others.Redirect() : null;

    /// <summary>The other nodes send no more clients here, and from now on new ones are sent to them.</summary>
    public async Task DrainAsync(ClusterLife? life, CancellationToken cancellationToken)
    {
        using var timeout = new CancellationTokenSource(s_directoryTimeout, time);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            if (life is not null)
            {
                await life.Directory.DrainAsync(patience.Token);
                await others.ReadAsync(life, patience.Token);
            }
        }
        catch (Exception e) when (e is ClusterDirectoryException or NodeFencedException or OperationCanceledException)
        {
            ServerLog.ClusterDirectoryFailed(logger, e.Message);
        }

        _isDraining = true;
    }

    /// <summary>Waits until the players of this node have resumed elsewhere: until then they have to be members of their rooms.</summary>
    public async Task WaitForReturnsAsync(ClusterLife life, CancellationToken cancellationToken)
    {
        if (returnWithin == TimeSpan.Zero || !others.Any)
        {
            return; // no client was asked to come back, or none can
        }

        long began = time.GetTimestamp();
        while (life.Leaves.HasDeparted
            && !life.IsFenced
            && !cancellationToken.IsCancellationRequested
            && time.GetElapsedTime(began) < returnWithin + ReturnMargin)
        {
            await Task.Delay(s_look, time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
