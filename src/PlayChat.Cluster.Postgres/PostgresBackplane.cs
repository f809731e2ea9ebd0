using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Npgsql;
using NpgsqlTypes;
using PlayChat.Cluster.Postgres.Diagnostics;
using PlayChat.Core.Cluster;

namespace PlayChat.Cluster.Postgres;

/// <summary>The log of every shard in a table of PostgreSQL 12 or newer: for clusters of a few nodes. It creates its tables.</summary>
/// <remarks>
/// <para>A node has three connections. One loop writes the waiting batches of all shards in one transaction, one loop reads all shards,
/// and one listens for notifications, which only wake the reader. One thread at a time calls the handlers of this node.</para>
/// <para>A record that was read is on the database's disk, as long as <c>synchronous_commit</c> is on. When a node connects and finds that
/// the log has lost its end, it begins a new epoch.</para>
/// <para>The tables: <c>pc_shard</c>, <c>pc_log</c>. The nodes of one cluster use one database and schema.</para>
/// </remarks>
public sealed class PostgresBackplane : RoomBackplane
{
    private const int MaxTransactionBytes = 1 << 20;

    private static readonly TimeSpan s_poll = TimeSpan.FromSeconds(1); // if a notification is lost
    private static readonly TimeSpan s_firstDelay = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_longestDelay = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_trimPeriod = TimeSpan.FromMinutes(1);

    private readonly NpgsqlDataSource _source;
    private readonly string _location;
    private readonly TimeSpan _retention;
    private readonly long[] _epochs; // by shard; written while connecting and by the read loop
    private readonly WakeUp _write = new();
    private readonly WakeUp _read = new();
    private readonly object _gate = new();
    private readonly List<PostgresSubscription> _subscriptions = []; // guarded by _gate
    private readonly List<PostgresSubscription> _greetings = []; // guarded by _gate: to be written
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _running;
    private CancellationTokenSource? _session; // guarded by _gate
    private int _connection; // counts them
    private bool _isDisposed; // guarded by _gate

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
        _source = NpgsqlDataSource.Create(settings);
        _location = PostgresSource.Describe(settings);
        _retention = options.Retention;
        _epochs = new long[options.ShardCount];
        _running = Task.Run(RunAsync);
    }

    /// <inheritdoc/>
    protected override void OnPending(int shard) => _write.Set();

    /// <inheritdoc/>
    protected override void OnSilent()
    {
        lock (_gate)
        {
            _ = _session?.CancelAsync();
        }
    }

    /// <inheritdoc/>
    protected override async ValueTask<IAsyncDisposable> SubscribeCoreAsync(
        int shard, SubscribeFrom from, IShardHandler handler, CancellationToken cancellationToken)
    {
        var subscription = new PostgresSubscription(shard, Forget);
        subscription.Reader = CreateReader(shard, from, handler, subscription.OnHello);
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            _subscriptions.Add(subscription);
        }

        _read.Set();
        try
        {
            await subscription.CaughtUp.WaitAsync(cancellationToken).ConfigureAwait(false);
            return subscription;
        }
        catch
        {
            await subscription.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc/>
    protected override async ValueTask DisposeCoreAsync()
    {
        PostgresSubscription[] subscriptions;
        lock (_gate)
        {
            _isDisposed = true;
            subscriptions = [.. _subscriptions];
        }

        await _stop.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        foreach (PostgresSubscription subscription in subscriptions)
        {
            await subscription.DisposeAsync().ConfigureAwait(false);
        }

        await _source.DisposeAsync().ConfigureAwait(false);
        _stop.Dispose();
    }

    private static PostgresBackplaneOptions Checked(PostgresBackplaneOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        return options;
    }

    private static NpgsqlCommand Command(NpgsqlConnection connection, string sql, params object[] values)
    {
        var command = new NpgsqlCommand(sql, connection);
        foreach (object value in values)
        {
            command.Parameters.Add(new NpgsqlParameter { Value = value });
        }

        return command;
    }

    private static async Task<int> ExecuteAsync(
        NpgsqlConnection connection, string sql, CancellationToken cancellationToken, params object[] values)
    {
        NpgsqlCommand command = Command(connection, sql, values);
        await using (command.ConfigureAwait(false))
        {
            return await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private static async Task<List<(long First, long Second)>> ReadPairsAsync(
        NpgsqlConnection connection, string sql, CancellationToken cancellationToken, params object[] values)
    {
        List<(long, long)> pairs = [];
        NpgsqlCommand command = Command(connection, sql, values);
        await using (command.ConfigureAwait(false))
        {
            NpgsqlDataReader rows = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (rows.ConfigureAwait(false))
            {
                while (await rows.ReadAsync(cancellationToken).ConfigureAwait(false))
                {
                    pairs.Add((Convert.ToInt64(rows.GetValue(0), null), rows.GetInt64(1)));
                }
            }
        }

        return pairs;
    }

    private void Forget(PostgresSubscription subscription)
    {
        lock (_gate)
        {
            _subscriptions.Remove(subscription);
        }

        ReleaseReader(subscription.Shard);
    }

    private async Task RunAsync()
    {
        TimeSpan delay = s_firstDelay;
        while (!_stop.IsCancellationRequested)
        {
            int before = _connection;
            Exception? end = await ConnectAndRunAsync().ConfigureAwait(false);
            OnLost();
            if (_stop.IsCancellationRequested)
            {
                return;
            }

            bool wasConnected = _connection != before;
            delay = wasConnected ? s_firstDelay : delay * 2 < s_longestDelay ? delay * 2 : s_longestDelay;
            if (wasConnected || delay == s_firstDelay * 2)
            {
                PostgresClusterLog.Lost(Logger, _location, end?.Message ?? "it did not answer");
            }

            // Jitter, so that the nodes do not all connect in the same moment.
            await Task.Delay(delay * (0.5 + Random.Shared.NextDouble()), Time, _stop.Token)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <returns>What ended the connection.</returns>
    private async Task<Exception?> ConnectAndRunAsync()
    {
        using var session = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        lock (_gate)
        {
            _session = session;
        }

        try
        {
            await RunSessionAsync(session).ConfigureAwait(false);
            return null;
        }
        catch (Exception exception) when (
            PostgresSource.IsDatabaseError(exception) || exception is OperationCanceledException or InvalidOperationException)
        {
            return exception is OperationCanceledException ? null : exception;
        }
        finally
        {
            lock (_gate)
            {
                _session = null;
            }
        }
    }

    private async Task RunSessionAsync(CancellationTokenSource session)
    {
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
                    await PrepareAsync(writing, stop).ConfigureAwait(false);
                    listening.Notification += (_, _) => _read.Set();
                    await ExecuteAsync(listening, LogSql.Listen, stop).ConfigureAwait(false);
                    _connection++;
                    PostgresClusterLog.Connected(Logger, _location);
                    OnConnected();
                    Task[] loops = [WriteAsync(writing, stop), ReadAsync(reading, stop), ListenAsync(listening, stop), TrimAsync(stop)];
                    Task first = await Task.WhenAny(loops).ConfigureAwait(false);
                    await session.CancelAsync().ConfigureAwait(false);
                    await Task.WhenAll(loops).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                    await first.ConfigureAwait(false);
                }
            }
        }
    }

    /// <summary>
    /// Creates missing tables and rows, and finds out which batches of an earlier connection are in the log. It runs before anything is
    /// written, because the log's end says whether this is the log that the readers know.
    /// </summary>
    private async Task PrepareAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        await PostgresClusterSchema.EnsureAsync(connection, cancellationToken).ConfigureAwait(false);
        await ExecuteAsync(connection, LogSql.CreateShards, cancellationToken, ShardCount).ConfigureAwait(false);
        List<(long Id, long Epoch)> shards = await ReadPairsAsync(connection, LogSql.Shards, cancellationToken).ConfigureAwait(false);
        if (shards.Count != ShardCount)
        {
            throw new InvalidOperationException(
                $"the log has {shards.Count} shards and this node wants {ShardCount}; configure the same number on every node");
        }

        foreach ((long id, long epoch) in shards)
        {
            Volatile.Write(ref _epochs[id], epoch);
        }

        PostgresSubscription[] subscriptions;
        lock (_gate)
        {
            subscriptions = [.. _subscriptions];
        }

        foreach (PostgresSubscription subscription in subscriptions)
        {
            if (subscription.Reader.Position is { } position)
            {
                await CompareAsync(connection, subscription.Shard, position, cancellationToken).ConfigureAwait(false);
            }
        }

        List<(long Shard, long Batch)> stored = await ReadPairsAsync(
            connection, LogSql.LastBatches, cancellationToken, Origin.NodeId, Origin.Incarnation).ConfigureAwait(false);
        foreach ((long shard, long batch) in stored)
        {
            GetQueue((int)shard).Confirm(batch, multiple: true);
        }

        for (int shard = 0; shard < ShardCount; shard++)
        {
            Rewind(shard);
        }
    }

    private async Task WriteAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        List<PendingBatch> taken = [];
        List<int> shards = [];
        while (true)
        {
            NpgsqlBatch transaction = new(connection);
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
                    continue;
                }
            }

            await _write.WaitAsync(Timeout.InfiniteTimeSpan, cancellationToken).ConfigureAwait(false);
        }
    }

    // Shards in rising order: a transaction locks the rows of its shards, and all nodes must lock them in one order.
    private void Collect(NpgsqlBatch transaction, List<PendingBatch> taken, List<int> shards)
    {
        taken.Clear();
        shards.Clear();
        PostgresSubscription[] greetings;
        lock (_gate)
        {
            greetings = [.. _greetings];
            _greetings.Clear();
        }

        int bytes = 0;
        for (int shard = 0; shard < ShardCount; shard++)
        {
            uint epoch = (uint)Volatile.Read(ref _epochs[shard]);
            foreach (PostgresSubscription greeting in greetings)
            {
                if (greeting.Shard == shard)
                {
                    Append(transaction, shard, 0, RecordBatch.WriteHello(Origin, epoch, greeting.Nonce));
                }
            }

            while (bytes < MaxTransactionBytes && GetQueue(shard).TryTake(epoch, out PendingBatch batch))
            {
                Append(transaction, shard, batch.Number, batch.Bytes);
                taken.Add(batch);
                shards.Add(shard);
                bytes += batch.Bytes.Length;
            }
        }
    }

    private void Append(NpgsqlBatch transaction, int shard, long number, ReadOnlyMemory<byte> bytes) =>
        transaction.BatchCommands.Add(new NpgsqlBatchCommand(LogSql.Append)
        {
            Parameters =
            {
                new NpgsqlParameter<int> { TypedValue = shard },
                new NpgsqlParameter<int> { TypedValue = Origin.NodeId },
                new NpgsqlParameter<long> { TypedValue = Origin.Incarnation },
                new NpgsqlParameter<long> { TypedValue = number },
                new NpgsqlParameter<ReadOnlyMemory<byte>> { TypedValue = bytes, NpgsqlDbType = NpgsqlDbType.Bytea },
            },
        });

    private static async Task ListenAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        while (true)
        {
            await connection.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task ReadAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        while (true)
        {
            PostgresSubscription[] subscriptions;
            lock (_gate)
            {
                subscriptions = [.. _subscriptions];
            }

            foreach (PostgresSubscription subscription in subscriptions)
            {
                if (subscription.AttachedTo != _connection)
                {
                    await AttachAsync(connection, subscription, cancellationToken).ConfigureAwait(false);
                }
            }

            if (!await ReadOnceAsync(connection, subscriptions, cancellationToken).ConfigureAwait(false))
            {
                await _read.WaitAsync(s_poll, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    private async Task AttachAsync(
        NpgsqlConnection connection, PostgresSubscription subscription, CancellationToken cancellationToken)
    {
        SubscribeFrom from = subscription.Reader.Attach();
        (long epoch, long last) = await CompareAsync(connection, subscription.Shard, from.Position, cancellationToken)
            .ConfigureAwait(false);
        subscription.After = from switch
        {
            { Position: { } position } => position.Epoch == epoch ? position.Offset - 1 : 0,
            { IsEarliest: true } => 0,
            _ => last,
        };

        subscription.AttachedTo = _connection;
        lock (_gate)
        {
            _greetings.Add(subscription);
        }

        _write.Set();
    }

    /// <summary>Begins a new epoch if the log ends before a position of its epoch: the database has lost the end of the log, and will
    /// give its numbers to other records.</summary>
    private async Task<(long Epoch, long Last)> CompareAsync(
        NpgsqlConnection connection, int shard, LogPosition? known, CancellationToken cancellationToken)
    {
        (long epoch, long last) = (await ReadPairsAsync(connection, LogSql.Shard, cancellationToken, shard).ConfigureAwait(false))[0];
        if (known is { } position && position.Epoch == epoch && position.Offset > last)
        {
            await ExecuteAsync(connection, LogSql.RaiseEpoch, cancellationToken, shard, epoch).ConfigureAwait(false);
            (epoch, last) = (await ReadPairsAsync(connection, LogSql.Shard, cancellationToken, shard).ConfigureAwait(false))[0];
            Volatile.Write(ref _epochs[shard], epoch);
        }

        return (epoch, last);
    }

    /// <returns>Whether there was anything.</returns>
    private static async Task<bool> ReadOnceAsync(
        NpgsqlConnection connection, PostgresSubscription[] subscriptions, CancellationToken cancellationToken)
    {
        bool isFound = false;
        NpgsqlCommand command = Command(
            connection,
            LogSql.Read,
            subscriptions.Select(static subscription => subscription.Shard).ToArray(),
            subscriptions.Select(static subscription => subscription.After).ToArray());
        await using (command.ConfigureAwait(false))
        {
            NpgsqlDataReader rows = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (rows.ConfigureAwait(false))
            {
                while (await rows.ReadAsync(cancellationToken).ConfigureAwait(false))
                {
                    isFound = true;
                    await subscriptions[rows.GetInt64(0) - 1].ReadAsync(rows.GetInt64(1), rows.GetFieldValue<byte[]>(2))
                        .ConfigureAwait(false);
                }
            }
        }

        return isFound;
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
            while (await ExecuteAsync(connection, LogSql.Trim, cancellationToken, _retention).ConfigureAwait(false) > 0)
            {
                // In pieces, so that no transaction is long.
            }
        }
    }
}
