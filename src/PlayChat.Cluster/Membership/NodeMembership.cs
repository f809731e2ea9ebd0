using PlayChat.Cluster.Directory;

namespace PlayChat.Cluster.Membership;

/// <summary>Keeps a node in its cluster: registers it, renews its lease, asks the log whether it answers, fences the node when it has lost
/// its place, declares others lost, and begins another life after a fence. Thread-safe.</summary>
public sealed class NodeMembership : IAsyncDisposable
{
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_burialPause = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_burialTimeout = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_unregisterTimeout = TimeSpan.FromSeconds(2); // a directory that is away must not delay a stop

    private readonly INodeService _service;
    private readonly IClusterDirectory _directory;
    private readonly TimeSpan _sweepInterval;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly CancellationTokenSource _stopping = new();
    private int _nodeId;
    private string _endpoint = "";
    private volatile NodeLife? _life;
    private Task _running = Task.CompletedTask;

    /// <param name="service">What the node does in the cluster.</param>
    /// <param name="directory">The directory, for this node alone. The caller disposes it afterwards.</param>
    /// <param name="sweepInterval">How often the node looks for lost nodes, more than zero.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Learns what happens to the node and to others.</param>
    public NodeMembership(INodeService service, IClusterDirectory directory, TimeSpan sweepInterval, TimeProvider time, ILogger logger)
    {
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(directory);
        ArgumentNullException.ThrowIfNull(time);
        ArgumentNullException.ThrowIfNull(logger);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(sweepInterval, TimeSpan.Zero);
        _service = service;
        _directory = directory;
        _sweepInterval = sweepInterval;
        _time = time;
        _logger = logger;
    }

    /// <summary>How often the membership looks at its lease and calls <see cref="INodeService.OnLook"/>: 100 ms.</summary>
    public static TimeSpan LookInterval { get; } = TimeSpan.FromMilliseconds(100);

    /// <summary>How long the log and the directory may take until the node has a place in the cluster. Then the start fails, or begins
    /// anew. Default 60 seconds.</summary>
    /// <remarks>A log that was deleted and made again while the node began to read it never gives back what the node waits for.</remarks>
    public TimeSpan StartTimeout { get; set; } = TimeSpan.FromSeconds(60);

    /// <summary>The node's life; <see langword="null"/> while it has no place in the cluster.</summary>
    public NodeLife? Life => _life is { IsFenced: false } life ? life : null;

    /// <summary>Is cancelled when the node leaves the cluster.</summary>
    internal CancellationToken Stopping => _stopping.Token;

    /// <summary>Registers the node and begins its first life. Once.</summary>
    /// <param name="nodeId">The node's number: 1 to <see cref="IClusterDirectory.MaxNodeId"/>, of each node another one.</param>
    /// <param name="endpoint">Where clients reach the node.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ClusterDirectoryException">The directory or the log does not answer.</exception>
    /// <exception cref="NodeIdInUseException">A live node has the id.</exception>
    public async Task JoinAsync(int nodeId, string endpoint, CancellationToken cancellationToken = default)
    {
        _nodeId = nodeId;
        _endpoint = endpoint;
        NodeLife life = await BeginAsync(cancellationToken).ConfigureAwait(false);
        _running = Task.Run(() => RunAsync(life), CancellationToken.None);
    }

    /// <summary>Ends the node's life, and its lease, so that the others need not wait for its end. Once; later calls do nothing.</summary>
    /// <param name="cancellationToken">Ends the wait for the directory, which is 2 seconds at most. The lease then ends by itself.</param>
    public async Task LeaveAsync(CancellationToken cancellationToken = default)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        if (_life is { } life)
        {
            await EndAsync(life).ConfigureAwait(false);
            await UnregisterAsync(life, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Leaves the cluster.</summary>
    public ValueTask DisposeAsync() => new(LeaveAsync());

    /// <summary>A life has ended before the node stops.</summary>
    internal void OnFenced(NodeLife life) => _service.OnFenced(life);

    internal void LogFenced(NodeLife life, string why) =>
        MembershipLog.NodeFenced(_logger, life.Origin.NodeId, life.Origin.Incarnation, why);

    /// <summary>Logs that the log or the directory did not do something that is tried again.</summary>
    internal void NoteFault(Exception fault)
    {
        if (!_stopping.IsCancellationRequested)
        {
            MembershipLog.ClusterFault(_logger, fault.Message);
        }
    }

    private async Task<NodeLife> BeginAsync(CancellationToken cancellationToken)
    {
        NodeLease lease = await _directory.RegisterWhenFreeAsync(_nodeId, _endpoint, _logger, _time, cancellationToken)
            .ConfigureAwait(false);
        using var timeout = new CancellationTokenSource(StartTimeout, _time);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        var life = new NodeLife(this, lease, _service.CreateBackplane(lease.Origin), _time);
        Task beginning = _service.BeginAsync(life, patience.Token);
        try
        {
            while (!beginning.IsCompleted && !life.HasEndlessLease)
            {
                await Task.WhenAny(beginning, Task.Delay(life.RenewAfter, _time, patience.Token)).ConfigureAwait(false);
                if (!beginning.IsCompleted && !await _directory.RenewAsync(patience.Token).ConfigureAwait(false))
                {
                    throw new ClusterDirectoryException("The node has lost its lease while it read the log.");
                }
            }

            await beginning.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            await patience.CancelAsync().ConfigureAwait(false);
            await beginning.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // it still adds subscriptions to the life
            await EndAsync(life).ConfigureAwait(false);
            await UnregisterAsync(life, CancellationToken.None).ConfigureAwait(false);
            if (e is OperationCanceledException && !cancellationToken.IsCancellationRequested)
            {
                throw new ClusterDirectoryException(
                    $"The cluster's log or directory did not answer within {StartTimeout.TotalSeconds:0} seconds. Start it first.", e);
            }

            throw;
        }

        life.NoteRenewed(_time.GetTimestamp());
        _life = life;
        MembershipLog.NodeJoined(_logger, lease.Origin.NodeId, lease.Origin.Incarnation, _endpoint);
        _service.OnBegun(life);
        return life;
    }

    private async Task EndAsync(NodeLife life)
    {
        await _service.EndAsync(life).ConfigureAwait(false);
        await life.DisposeAsync().ConfigureAwait(false);
        _life = null;
    }

    private async Task UnregisterAsync(NodeLife life, CancellationToken cancellationToken)
    {
        if (life.IsFenced)
        {
            return;
        }

        using var timeout = new CancellationTokenSource(s_unregisterTimeout, _time);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            await _directory.UnregisterAsync(patience.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is ClusterDirectoryException or OperationCanceledException or ObjectDisposedException)
        {
            MembershipLog.ClusterFault(_logger, e.Message); // the others take this node for lost when its lease has ended
        }
    }

    private async Task RunAsync(NodeLife? life)
    {
        while (life is not null)
        {
            await LiveAsync(life).ConfigureAwait(false);
            if (_stopping.IsCancellationRequested)
            {
                return;
            }

            await EndAsync(life).ConfigureAwait(false);
            life = await BeginAgainAsync().ConfigureAwait(false);
        }
    }

    /// <returns><see langword="null"/> when the node stops.</returns>
    private async Task<NodeLife?> BeginAgainAsync()
    {
        while (!_stopping.IsCancellationRequested)
        {
            try
            {
                return await BeginAsync(_stopping.Token).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                NoteFault(e);
                await WaitAsync(s_pause).ConfigureAwait(false);
            }
        }

        return null;
    }

    /// <summary>Renews the lease, looks for lost nodes, and lets the service look, until the life ends.</summary>
    private async Task LiveAsync(NodeLife life)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(life.Ended, _stopping.Token);
        long swept = _time.GetTimestamp();
        long tried = swept;
        Task renewing = Task.CompletedTask;
        Task sweeping = Task.CompletedTask;
        while (!ended.IsCancellationRequested)
        {
            await WaitAsync(LookInterval).ConfigureAwait(false);
            _service.OnLook(life);
            life.FenceIfCutOff();
            if (renewing.IsCompleted && life.IsRenewalDue && _time.GetElapsedTime(tried) >= life.Lease.Duration / 10)
            {
                tried = _time.GetTimestamp();
                renewing = RenewAsync(life, ended.Token);
            }

            if (sweeping.IsCompleted && _time.GetElapsedTime(swept) >= _sweepInterval)
            {
                swept = _time.GetTimestamp();
                sweeping = SweepAsync(life, ended.Token);
            }
        }

        await Task.WhenAll(renewing, sweeping).ConfigureAwait(false);
    }

    private async Task RenewAsync(NodeLife life, CancellationToken cancellationToken)
    {
        long before = _time.GetTimestamp();
        try
        {
            if (await _directory.RenewAsync(cancellationToken).ConfigureAwait(false))
            {
                life.NoteRenewed(before);
            }
            else
            {
                life.FenceWithoutLease();
            }
        }
        catch (Exception e)
        {
            NoteFault(life, e);
        }
    }

    /// <summary>Looks for lost nodes once. Of several nodes that do so, the directory gives each lost node to one.</summary>
    private async Task SweepAsync(NodeLife life, CancellationToken cancellationToken)
    {
        try
        {
            await _service.OnSweepingAsync(life, cancellationToken).ConfigureAwait(false);
            foreach (LostNode lost in await _directory.SweepAsync(cancellationToken).ConfigureAwait(false))
            {
                MembershipLog.NodeLost(_logger, lost.Node.NodeId, lost.Node.Incarnation, lost.Members.Count);
                using var timeout = new CancellationTokenSource(s_burialTimeout, _time);
                using var patience = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
                await BuryAsync(life, lost.Node, patience.Token).ConfigureAwait(false);
                await _service.AnnounceAsync(life, lost, patience.Token).ConfigureAwait(false);
                await _directory.ConfirmLostAsync(lost.Node, cancellationToken).ConfigureAwait(false);
                await _service.OnForgottenAsync(life, lost, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (NodeFencedException)
        {
            life.FenceWithoutLease();
        }
        catch (Exception e)
        {
            NoteFault(life, e); // the directory gives the lost node out again
        }
    }

    /// <summary>Tells every log that a node is down, and reads that back.</summary>
    private async Task BuryAsync(NodeLife life, RecordOrigin dead, CancellationToken cancellationToken)
    {
        int shards = life.Backplane.ShardCount;
        for (int shard = 0; shard < shards; shard++)
        {
            while (life.Backplane.Publish(shard, RoomRecord.NodeDown(dead)) != PublishResult.Accepted)
            {
                await Task.Delay(s_burialPause, _time, cancellationToken).ConfigureAwait(false);
            }
        }

        for (int shard = 0; shard < shards; shard++)
        {
            while (!life.IsDown(shard, dead))
            {
                await Task.Delay(s_burialPause, _time, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    private void NoteFault(NodeLife life, Exception fault)
    {
        if (!life.IsFenced)
        {
            NoteFault(fault);
        }
    }

    private async Task WaitAsync(TimeSpan time) =>
        await Task.Delay(time, _time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
