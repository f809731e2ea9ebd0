using System.Diagnostics.Metrics;

namespace PlayChat.Cluster.Postgres;

/// <summary>The log of every shard in a table of PostgreSQL 12 or newer: for clusters of a few nodes. It creates its tables.</summary>
/// <remarks>
/// <para>A node has three connections. One loop writes the waiting batches of all shards in one transaction, one loop reads all shards,
/// and one listens for notifications, which only wake the reader. One thread at a time calls the handlers of this node.</para>
/// <para>A record that was read is on the database's disk, as long as <c>synchronous_commit</c> is on. When a node connects and finds that
/// the log has lost its end, it begins a new epoch.</para>
/// <para>The tables: <c>pc_shard</c>, <c>pc_log</c>. The nodes of one cluster use one database and schema.</para>
/// </remarks>
public sealed class PostgresBackplane : RemoteBackplane
{
    private const int Connections = 3;
    private const int PreparedStatements = 8;
    private const int MaxTransactionBytes = 1 << 20;

    private static readonly TimeSpan s_poll = TimeSpan.FromSeconds(1); // if a notification is lost
    // From the beginning of a transaction, or of a query that found batches, to that of the next. Under load, large ones take the database
    // and the nodes less time than many small ones, and all nodes lock the same rows. After a pause both begin at once.
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan s_trimPeriod = TimeSpan.FromMinutes(1);

    private readonly NpgsqlDataSource _source;
    private readonly TimeSpan _retention;
    private readonly long[] _epochs; // by shard; written while connecting and by the read loop
    private readonly WakeUp _write = new();
    private readonly WakeUp _read = new();

    /// <summary>Creates the backplane, which connects by itself.</summary>
    /// <param name="options">Checked and copied.</param>
    /// <param name="origin">This node and its present life, from the directory.</param>
    /// <param name="loggers">Where to log; nowhere without it.</param>
    /// <param name="meters">Makes, and then owns, the meter; without it the backplane does.</param>
    /// <param name="time">The clock; the system's without it.</param>
    /// <exception cref="ArgumentException">An option or the origin is invalid.</exception>
    public PostgresBackplane(
        PostgresBackplaneOptions options,
        RecordOrigin origin,
        ILoggerFactory? loggers = null,
        IMeterFactory? meters = null,
        TimeProvider? time = null)
        : base(Checked(options).ShardCount, origin, options.Limits, loggers, meters, time)
    {
        NpgsqlConnectionStringBuilder settings = PostgresSource.Parse(options.ConnectionString);
        settings.MaxPoolSize = Math.Max(settings.MaxPoolSize, Connections);
        settings.MaxAutoPrepare = Math.Max(settings.MaxAutoPrepare, PreparedStatements);
        settings.AutoPrepareMinUsages = 2; // parsing and planning take longer than the statements
        _source = NpgsqlDataSource.Create(settings);
        _retention = options.Retention;
        _epochs = new long[options.ShardCount];
        Location = PostgresSource.Describe(settings);
        Start();
    }

    /// <inheritdoc/>
    protected override string Location { get; }

    /// <inheritdoc/>
    protected override bool HasDenseOffsets => true;

    /// <inheritdoc/>
    protected override void OnPending(int shard) => _write.Set();

    /// <inheritdoc/>
    protected override ShardSubscription CreateSubscription() => new PostgresSubscription();

    /// <inheritdoc/>
    protected override void OnSubscribed(ShardSubscription subscription) => _read.Set();

    /// <inheritdoc/>
    protected override async ValueTask DisposeCoreAsync()
    {
        await base.DisposeCoreAsync().ConfigureAwait(false);
        await _source.DisposeAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    protected override async Task RunSessionAsync(CancellationTokenSource session)
    {
        ArgumentNullException.ThrowIfNull(session);
        CancellationToken stop = session.Token;
        NpgsqlConnection writing = await _source.OpenConnectionAsync(stop).ConfigureAwait(false);
        await using (writing.ConfigureAwait(false))
        {
            NpgsqlConnection reading = await _source.OpenConnectionAsync(stop).ConfigureAwait(false);
            await using (reading.ConfigureAwait(false))
            {
                NpgsqlConnection listening = await _source.OpenConnectionAsync(stop).ConfigureAwait(false);
                await using (listening.ConfigureAwait(false))
                {
                    var writer = new PostgresLog(writing);
                    var listener = new PostgresLog(listening);
                    await PrepareAsync(writer, stop).ConfigureAwait(false);
                    await listener.ListenAsync(_read.Set, stop).ConfigureAwait(false);
                    OnReady();
                    await RunLoopsAsync(
                        session,
                        WriteAsync(writer, stop),
                        ReadAsync(new PostgresLog(reading), stop),
                        listener.ReceiveAsync(stop),
                        TrimAsync(stop)).ConfigureAwait(false);
                }
            }
        }
    }

    private static PostgresBackplaneOptions Checked(PostgresBackplaneOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        return options;
    }

    /// <summary>
    /// Creates missing tables and rows, and finds out which batches of an earlier connection are in the log. It runs before anything is
    /// written, because the log's end says whether this is the log that the readers know.
    /// </summary>
    private async Task PrepareAsync(PostgresLog log, CancellationToken cancellationToken)
    {
        foreach ((long shard, long epoch) in await log.EnsureAsync(ShardCount, cancellationToken).ConfigureAwait(false))
        {
            Volatile.Write(ref _epochs[shard], epoch);
        }

        foreach (ShardSubscription subscription in GetSubscriptions())
        {
            if (subscription.Reader.Position is { } position)
            {
                await CompareAsync(log, subscription.Shard, position, cancellationToken).ConfigureAwait(false);
            }
        }

        foreach ((long shard, long batch) in await log.ReadLastBatchesAsync(Origin, cancellationToken).ConfigureAwait(false))
        {
            GetQueue((int)shard).Confirm(batch, multiple: true);
        }

        for (int shard = 0; shard < ShardCount; shard++)
        {
            Rewind(shard);
        }
    }

    private async Task WriteAsync(PostgresLog log, CancellationToken cancellationToken)
    {
        List<PendingBatch> taken = [];
        List<int> shards = [];
        while (true)
        {
            long begun = Time.GetTimestamp();
            NpgsqlBatch transaction = log.CreateTransaction();
            await using (transaction.ConfigureAwait(false))
            {
                Collect(transaction, taken, shards);
                if (transaction.BatchCommands.Count > 0)
                {
                    await transaction.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
                    for (int i = 0; i < taken.Count; i++)
                    {
                        GetQueue(shards[i]).Confirm(taken[i].Number, multiple: false);
                    }

                    OnAnswer();
                }
            }

            await (taken.Count == 0 ? _write.WaitAsync(cancellationToken) : WaitSinceAsync(begun, cancellationToken))
                .ConfigureAwait(false);
        }
    }

    private Task WaitSinceAsync(long begun, CancellationToken cancellationToken)
    {
        TimeSpan left = s_interval - Time.GetElapsedTime(begun);
        return left > TimeSpan.Zero ? Task.Delay(left, Time, cancellationToken) : Task.CompletedTask;
    }

    // Shards in rising order: a transaction locks the rows of its shards, and all nodes must lock them in one order.
    private void Collect(NpgsqlBatch transaction, List<PendingBatch> taken, List<int> shards)
    {
        taken.Clear();
        shards.Clear();
        int bytes = 0;
        for (int shard = 0; shard < ShardCount; shard++)
        {
            uint epoch = (uint)Volatile.Read(ref _epochs[shard]);
            while (TakeGreeting(shard, epoch) is { } greeting)
            {
                PostgresLog.Append(transaction, Origin, shard, 0, greeting);
            }

            while (bytes < MaxTransactionBytes && GetQueue(shard).TryTake(epoch, out PendingBatch batch))
            {
                PostgresLog.Append(transaction, Origin, shard, batch.Number, batch.Bytes);
                taken.Add(batch);
                shards.Add(shard);
                bytes += batch.Bytes.Length;
            }
        }
    }

    private async Task ReadAsync(PostgresLog log, CancellationToken cancellationToken)
    {
        while (true)
        {
            PostgresSubscription[] subscriptions = [.. GetSubscriptions().Cast<PostgresSubscription>()];
            foreach (PostgresSubscription subscription in subscriptions)
            {
                if (!subscription.IsAttachedTo(log))
                {
                    await AttachAsync(log, subscription, cancellationToken).ConfigureAwait(false);
                }
            }

            long begun = Time.GetTimestamp();
            bool isFound = await log.ReadAsync(subscriptions, cancellationToken).ConfigureAwait(false);
            await (isFound ? WaitSinceAsync(begun, cancellationToken) : _read.WaitAsync(s_poll, cancellationToken)).ConfigureAwait(false);
        }
    }

    private async Task AttachAsync(PostgresLog log, PostgresSubscription subscription, CancellationToken cancellationToken)
    {
        if (await subscription.AttachAsync(log).ConfigureAwait(false) is not { } from)
        {
            return; // it has ended meanwhile, and reads nothing more
        }

        (long epoch, long last) = await CompareAsync(log, subscription.Shard, from.Position, cancellationToken).ConfigureAwait(false);
        subscription.After = from switch
        {
            { Position: { } position } => position.Epoch == epoch ? position.Offset - 1 : 0,
            { IsEarliest: true } => 0,
            _ => last,
        };
        Greet(subscription);
        _write.Set();
    }

    private async Task<(long Epoch, long Last)> CompareAsync(
        PostgresLog log, int shard, LogPosition? known, CancellationToken cancellationToken)
    {
        (long epoch, long last) = await log.CompareAsync(shard, known, cancellationToken).ConfigureAwait(false);
        Volatile.Write(ref _epochs[shard], epoch);
        return (epoch, last);
    }

    private async Task TrimAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            await TrimOnceAsync(cancellationToken).ConfigureAwait(false);
            await Task.Delay(s_trimPeriod, Time, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task TrimOnceAsync(CancellationToken cancellationToken)
    {
        NpgsqlConnection connection = await _source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var log = new PostgresLog(connection);
            while (await log.TrimAsync(_retention, cancellationToken).ConfigureAwait(false) > 0)
            {
                // In pieces, so that no transaction is long.
            }
        }
    }
}
