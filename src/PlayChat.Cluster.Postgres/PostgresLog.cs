using NpgsqlTypes;

namespace PlayChat.Cluster.Postgres;

/// <summary>The log's tables, through one connection.</summary>
/// <remarks>For one caller at a time.</remarks>
internal sealed class PostgresLog(NpgsqlConnection connection)
{
    /// <summary>Makes what is missing, and reads the epochs.</summary>
    /// <returns>Every shard with its epoch.</returns>
    /// <exception cref="InvalidOperationException">The log has another number of shards.</exception>
    public async Task<List<(long Shard, long Epoch)>> EnsureAsync(int shardCount, CancellationToken cancellationToken)
    {
        await ExecuteAsync(PostgresSource.NoticeLoss, cancellationToken).ConfigureAwait(false);
        await PostgresClusterSchema.EnsureAsync(connection, cancellationToken).ConfigureAwait(false);
        await ExecuteAsync(LogSql.CreateShards, cancellationToken, shardCount).ConfigureAwait(false);
        List<(long Shard, long Epoch)> shards = await ReadPairsAsync(LogSql.Shards, cancellationToken).ConfigureAwait(false);
        return shards.Count == shardCount
            ? shards
            : throw new InvalidOperationException(
                $"the log has {shards.Count} shards and this node wants {shardCount}; configure the same number on every node");
    }

    /// <summary>Reads a shard's epoch and the number of its last batch. Begins a new epoch first if the log ends before a position of its
    /// epoch: the database has lost the end of the log, and will give its numbers to other records.</summary>
    /// <param name="shard">The shard.</param>
    /// <param name="known">A position that was read.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task<(long Epoch, long Last)> CompareAsync(int shard, LogPosition? known, CancellationToken cancellationToken)
    {
        (long epoch, long last) = (await ReadPairsAsync(LogSql.Shard, cancellationToken, shard).ConfigureAwait(false))[0];
        if (known is { } position && position.Epoch == epoch && position.Offset > last)
        {
            await ExecuteAsync(LogSql.RaiseEpoch, cancellationToken, shard, epoch).ConfigureAwait(false);
            (epoch, last) = (await ReadPairsAsync(LogSql.Shard, cancellationToken, shard).ConfigureAwait(false))[0];
        }

        return (epoch, last);
    }

    /// <summary>Reads the last batch of a node that each shard holds.</summary>
    public Task<List<(long Shard, long Batch)>> ReadLastBatchesAsync(RecordOrigin origin, CancellationToken cancellationToken) =>
        ReadPairsAsync(LogSql.LastBatches, cancellationToken, origin.NodeId, origin.Incarnation);

    /// <summary>Begins to listen for notifications; <see cref="ReceiveAsync"/> receives them.</summary>
    public Task ListenAsync(Action onNotified, CancellationToken cancellationToken)
    {
        connection.Notification += (_, _) => onNotified();
        return ExecuteAsync(LogSql.Listen, cancellationToken);
    }

    /// <summary>Receives notifications until it is cancelled.</summary>
    public async Task ReceiveAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            await connection.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    public NpgsqlBatch CreateTransaction() => new(connection);

    public static void Append(NpgsqlBatch transaction, RecordOrigin origin, int shard, long number, ReadOnlyMemory<byte> bytes) =>
        transaction.BatchCommands.Add(new NpgsqlBatchCommand(LogSql.Append)
        {
            Parameters =
            {
                new NpgsqlParameter<int> { TypedValue = shard },
                new NpgsqlParameter<int> { TypedValue = origin.NodeId },
                new NpgsqlParameter<long> { TypedValue = origin.Incarnation },
                new NpgsqlParameter<long> { TypedValue = number },
                new NpgsqlParameter<ReadOnlyMemory<byte>> { TypedValue = bytes, NpgsqlDbType = NpgsqlDbType.Bytea },
            },
        });

    /// <summary>Reads what follows behind the last batch of each subscription, a bounded part of it.</summary>
    /// <param name="subscriptions">Attached to this object.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Whether there was anything.</returns>
    public async Task<bool> ReadAsync(PostgresSubscription[] subscriptions, CancellationToken cancellationToken)
    {
        bool isFound = false;
        NpgsqlCommand command = Command(
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
                    PostgresSubscription subscription = subscriptions[rows.GetInt64(0) - 1];
                    long sequence = rows.GetInt64(1);
                    await subscription.ReadAsync(this, sequence, rows.GetFieldValue<byte[]>(2)).ConfigureAwait(false);
                    subscription.After = sequence;
                }
            }
        }

        return isFound;
    }

    /// <summary>Deletes some of the batches that are older than the retention.</summary>
    /// <returns>How many; 0 when none is left.</returns>
    public Task<int> TrimAsync(TimeSpan retention, CancellationToken cancellationToken) =>
        ExecuteAsync(LogSql.Trim, cancellationToken, retention);

    private NpgsqlCommand Command(string sql, params object[] values)
    {
        var command = new NpgsqlCommand(sql, connection);
        foreach (object value in values)
        {
            command.Parameters.Add(new NpgsqlParameter { Value = value });
        }

        return command;
    }

    private async Task<int> ExecuteAsync(string sql, CancellationToken cancellationToken, params object[] values)
    {
        NpgsqlCommand command = Command(sql, values);
        await using (command.ConfigureAwait(false))
        {
            return await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<List<(long First, long Second)>> ReadPairsAsync(
        string sql, CancellationToken cancellationToken, params object[] values)
    {
        List<(long, long)> pairs = [];
        NpgsqlCommand command = Command(sql, values);
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
}
