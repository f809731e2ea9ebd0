using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Cluster.Directory;

namespace PlayChat.Cluster.Postgres;

/// <summary>The directory of a cluster in PostgreSQL 12 or newer. It creates its tables with its first call.</summary>
/// <remarks>
/// <para>All leases follow the database's clock. When it goes back, for instance after a switch to another server, the next sweep logs
/// that and lets the leases begin anew. A call that meets a broken connection or a deadlock is repeated at once, twice at most;
/// every statement gives the same answer when it runs again, but a registration, which begins another life in place of the one whose
/// answer was lost.</para>
/// <para>The tables: <c>pc_node</c>, <c>pc_lost</c>, <c>pc_member</c>, <c>pc_session</c>, <c>pc_room_owner</c>. The nodes of one
/// cluster use one database and schema.</para>
/// </remarks>
public sealed class PostgresDirectory : IClusterDirectory
{
    private const int MaxAttempts = 3;

    private readonly NpgsqlDataSource _source;
    private readonly TimeSpan _leaseDuration;
    private readonly string _version;
    private readonly string _location;
    private readonly ILogger _logger;
    private readonly Guid _registrant = Guid.NewGuid(); // knows the lives of this object again, also one whose answer was lost
    private volatile NodeLease? _lease;
    private volatile bool _hasSchema;
    private volatile bool _disposed;

    /// <summary>Creates the directory of one node. Nothing is connected yet.</summary>
    /// <param name="options">Checked and copied.</param>
    /// <param name="loggers">Where to log; nowhere without it.</param>
    /// <exception cref="ArgumentException">An option is invalid.</exception>
    public PostgresDirectory(PostgresDirectoryOptions options, ILoggerFactory? loggers = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        NpgsqlConnectionStringBuilder settings = PostgresSource.Parse(options.ConnectionString);
        _source = NpgsqlDataSource.Create(settings);
        _location = PostgresSource.Describe(settings);
        _leaseDuration = options.LeaseDuration;
        _version = options.Version;
        _logger = (loggers ?? NullLoggerFactory.Instance).CreateLogger(typeof(PostgresDirectory).FullName!);
    }

    /// <inheritdoc/>
    public Task<NodeLease> RegisterAsync(int nodeId, string endpoint, CancellationToken cancellationToken = default)
    {
        DirectoryArguments.CheckRegister(nodeId, endpoint);
        return RunAsync(
            async (connection, stop) =>
            {
                await HealClockAsync(connection, stop).ConfigureAwait(false);
                List<NodeLease> leases = await ReadAsync(
                    connection,
                    row => row.IsDBNull(0)
                        ? throw new NodeIdInUseException(
                            new NodeInfo(new RecordOrigin(nodeId, row.GetInt64(1)), row.GetString(2), row.GetBoolean(3), row.GetString(4)),
                            row.GetTimeSpan(5))
                        : new NodeLease(new RecordOrigin(nodeId, row.GetInt64(0)), _leaseDuration),
                    stop,
                    Command($"select pg_advisory_xact_lock({PostgresLocks.Node}, $1)", nodeId),
                    Command(DirectorySql.Register, nodeId, endpoint, _leaseDuration, _registrant, _version)).ConfigureAwait(false);
                return _lease = leases[0];
            },
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<bool> RenewAsync(CancellationToken cancellationToken = default)
    {
        RecordOrigin me = Origin();
        return RunAsync(
            async (connection, stop) =>
                await ExecuteAsync(connection, stop, Command(DirectorySql.Renew, me.NodeId, me.Incarnation, _leaseDuration))
                    .ConfigureAwait(false) == 1,
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task DrainAsync(CancellationToken cancellationToken = default)
    {
        RecordOrigin me = Origin();
        return RunAsync(
            async (connection, stop) =>
            {
                int nodes = await ExecuteAsync(connection, stop, Command(DirectorySql.Drain, me.NodeId, me.Incarnation))
                    .ConfigureAwait(false);
                return nodes == 1 ? true : throw new NodeFencedException(me);
            },
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task UnregisterAsync(CancellationToken cancellationToken = default)
    {
        RecordOrigin me = Origin();
        return RunAsync(
            (connection, stop) => ExecuteAsync(
                connection,
                stop,
                Command($"select pg_advisory_xact_lock({PostgresLocks.Node}, $1)", me.NodeId),
                Command(DirectorySql.Unregister, me.NodeId, me.Incarnation)),
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<NodeInfo>> GetNodesAsync(CancellationToken cancellationToken = default) =>
        ListAsync(
            static row => new NodeInfo(
                new RecordOrigin(row.GetInt32(0), row.GetInt64(1)), row.GetString(2), row.GetBoolean(3), row.GetString(4)),
            Command(DirectorySql.Nodes),
            cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<RecordOrigin>> GetLivesAsync(CancellationToken cancellationToken = default) =>
        ListAsync(
            static row => new RecordOrigin(row.GetInt32(0), row.GetInt64(1)), Command(DirectorySql.Lives), cancellationToken);

    /// <inheritdoc/>
    public Task<JoinOutcome> JoinAsync(long roomId, ClusterMember member, int maxMembers, CancellationToken cancellationToken = default)
    {
        DirectoryArguments.CheckJoin(member, maxMembers);
        RecordOrigin me = Origin();
        return FencedAsync(
            me,
            static row => row.GetBoolean(1) ? JoinOutcome.Joined : JoinOutcome.Full,
            cancellationToken,
            LockCommand(me, PostgresLocks.Room, roomId),
            Command(DirectorySql.Join, me.NodeId, me.Incarnation, roomId, member.UserId, member.SessionId, member.Name, maxMembers));
    }

    /// <inheritdoc/>
    public Task LeaveAsync(long roomId, long userId, long sessionId, CancellationToken cancellationToken = default)
    {
        RecordOrigin me = Origin();
        return FencedAsync(me, Command(DirectorySql.Leave, me.NodeId, me.Incarnation, roomId, userId, sessionId), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<ClusterMember>> GetMembersAsync(long roomId, CancellationToken cancellationToken = default) =>
        ListAsync(ReadMember, Command(DirectorySql.Members, roomId), cancellationToken);

    /// <inheritdoc/>
    public Task<IReadOnlyList<RoomPopulation>> GetRoomsAsync(long afterRoomId, int limit, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1);
        return ListAsync(
            static row => new RoomPopulation(row.GetInt64(0), row.GetInt32(1)),
            Command(DirectorySql.Rooms, afterRoomId, limit),
            cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<IReadOnlyList<SessionPlace>> BindSessionAsync(
        long userId, long sessionId, int maxSessions, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxSessions, 1);
        RecordOrigin me = Origin();
        List<SessionPlace?> known = await ReadFencedAsync(
            me,
            static row => row.IsDBNull(1) ? (SessionPlace?)null : ReadPlace(row, first: 1),
            cancellationToken,
            LockCommand(me, PostgresLocks.User, userId),
            Command(DirectorySql.Bind, me.NodeId, me.Incarnation, userId, sessionId),
            Command(DirectorySql.Bound, me.NodeId, me.Incarnation, userId)).ConfigureAwait(false);
        return [.. known.OfType<SessionPlace>().SkipLast(maxSessions)];
    }

    /// <inheritdoc/>
    public Task UnbindSessionAsync(long userId, long sessionId, CancellationToken cancellationToken = default)
    {
        RecordOrigin me = Origin();
        return FencedAsync(me, Command(DirectorySql.Unbind, me.NodeId, me.Incarnation, userId, sessionId), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<SessionPlace>> FindSessionsAsync(long userId, CancellationToken cancellationToken = default) =>
        ListAsync(static row => ReadPlace(row, first: 0), Command(DirectorySql.Sessions, userId), cancellationToken);

    /// <inheritdoc/>
    public Task<RecordOrigin?> AcquireRoomAsync(long roomId, bool hasState, CancellationToken cancellationToken = default)
    {
        RecordOrigin me = Origin();
        return FencedAsync(
            me,
            row => row.GetBoolean(1) ? me : row.IsDBNull(2) ? (RecordOrigin?)null : new RecordOrigin(row.GetInt32(2), row.GetInt64(3)),
            cancellationToken,
            LockCommand(me, PostgresLocks.Room, roomId),
            Command(DirectorySql.AcquireRoom, me.NodeId, me.Incarnation, roomId, hasState));
    }

    /// <inheritdoc/>
    public Task<bool> ReleaseRoomAsync(long roomId, bool isOver, CancellationToken cancellationToken = default)
    {
        RecordOrigin me = Origin();
        return FencedAsync(
            me,
            static row => row.GetBoolean(1),
            cancellationToken,
            isOver
                ? Command(DirectorySql.EndRoom, me.NodeId, me.Incarnation, roomId)
                : Command(DirectorySql.OrphanRoom, me.NodeId, me.Incarnation, roomId, IClusterDirectory.OrphanWait));
    }

    /// <inheritdoc/>
    public async Task<IReadOnlyList<LostNode>> SweepAsync(CancellationToken cancellationToken = default)
    {
        RecordOrigin me = Origin();
        bool isDue = await FencedAsync(
            me,
            static row => row.GetBoolean(1),
            cancellationToken,
            Command(DirectorySql.IsSweepDue, me.NodeId, me.Incarnation, _leaseDuration, IClusterDirectory.OrphanWait))
            .ConfigureAwait(false);
        return isDue
            ? await RunAsync((connection, stop) => TakeLostAsync(me, connection, stop), cancellationToken).ConfigureAwait(false)
            : [];
    }

    /// <inheritdoc/>
    public Task ConfirmLostAsync(RecordOrigin node, CancellationToken cancellationToken = default)
    {
        RecordOrigin me = Origin();
        return FencedAsync(
            me,
            Command(DirectorySql.Confirm, me.NodeId, me.Incarnation, node.NodeId, node.Incarnation, IClusterDirectory.OrphanWait),
            cancellationToken);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        _disposed = true;
        return _source.DisposeAsync();
    }

    private static ClusterMember ReadMember(NpgsqlDataReader row) =>
        new(row.GetInt64(0), row.GetInt64(1), row.GetString(2)) { Node = new RecordOrigin(row.GetInt32(3), row.GetInt64(4)) };

    private static SessionPlace ReadPlace(NpgsqlDataReader row, int first) =>
        new(new RecordOrigin(row.GetInt32(first), row.GetInt64(first + 1)), row.GetInt64(first + 2));

    private static NpgsqlBatchCommand Command(string sql, params object[] values)
    {
        var command = new NpgsqlBatchCommand(sql);
        foreach (object value in values)
        {
            command.Parameters.Add(new NpgsqlParameter { Value = value });
        }

        return command;
    }

    private static NpgsqlBatchCommand LockCommand(RecordOrigin me, string kind, long key) => Command(
        $"select pg_advisory_xact_lock_shared({PostgresLocks.Node}, $1), pg_advisory_xact_lock({kind}, hashint8($2))", me.NodeId, key);

    /// <summary>Makes a batch: its commands run in one round trip and one transaction.</summary>
    private static NpgsqlBatch Batch(NpgsqlConnection connection, NpgsqlBatchCommand[] commands)
    {
        NpgsqlBatch batch = new(connection);
        foreach (NpgsqlBatchCommand command in commands)
        {
            batch.BatchCommands.Add(command);
        }

        return batch;
    }

    private static async Task<int> ExecuteAsync(
        NpgsqlConnection connection, CancellationToken cancellationToken, params NpgsqlBatchCommand[] commands)
    {
        NpgsqlBatch batch = Batch(connection, commands);
        await using (batch.ConfigureAwait(false))
        {
            return await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Executes a batch and reads the rows of its last command.</summary>
    private static async Task<List<T>> ReadAsync<T>(
        NpgsqlConnection connection,
        Func<NpgsqlDataReader, T> read,
        CancellationToken cancellationToken,
        params NpgsqlBatchCommand[] commands)
    {
        List<T> list = [];
        NpgsqlBatch batch = Batch(connection, commands);
        await using (batch.ConfigureAwait(false))
        {
            NpgsqlDataReader rows = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (rows.ConfigureAwait(false))
            {
                for (int i = 1; i < commands.Length; i++)
                {
                    await rows.NextResultAsync(cancellationToken).ConfigureAwait(false);
                }

                while (await rows.ReadAsync(cancellationToken).ConfigureAwait(false))
                {
                    list.Add(read(rows));
                }
            }
        }

        return list;
    }

    private RecordOrigin Origin()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        return _lease?.Origin
            ?? throw new InvalidOperationException($"Call {nameof(RegisterAsync)} first: only a registered node may change the directory.");
    }

    private async Task<IReadOnlyList<LostNode>> TakeLostAsync(
        RecordOrigin me, NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            await ExecuteAsync(connection, cancellationToken, Command(PostgresSource.NoticeLoss)).ConfigureAwait(false);
            await HealClockAsync(connection, cancellationToken).ConfigureAwait(false);
            List<int> expired = await ReadAsync(
                connection,
                static row => row.GetInt32(0),
                cancellationToken,
                Command(DirectorySql.LockExpired, me.NodeId, me.Incarnation, _leaseDuration)).ConfigureAwait(false);
            await ExecuteAsync(
                connection,
                cancellationToken,
                Command(DirectorySql.Lose, me.NodeId, me.Incarnation, _leaseDuration, expired.ToArray()),
                Command(DirectorySql.ForgetOrphans)).ConfigureAwait(false);
            List<RecordOrigin> taken = await ReadAsync(
                connection,
                static row => new RecordOrigin(row.GetInt32(0), row.GetInt64(1)),
                cancellationToken,
                Command(DirectorySql.TakeLost, _leaseDuration, me.NodeId, me.Incarnation)).ConfigureAwait(false);
            long[] incarnations = [.. taken.Select(static node => node.Incarnation)];
            List<LostMember> members = await ReadAsync(
                connection,
                static row => new LostMember(row.GetInt64(5), ReadMember(row)),
                cancellationToken,
                Command(DirectorySql.LostMembers, incarnations)).ConfigureAwait(false);
            await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
            ILookup<RecordOrigin, LostMember> byNode = members.ToLookup(static lost => lost.Member.Node);
            return [.. taken.OrderBy(static node => node.Incarnation).Select(node => new LostNode(node, [.. byNode[node]]))];
        }
    }

    private async Task HealClockAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        List<double> ahead = await ReadAsync(
            connection,
            static row => row.GetDouble(0),
            cancellationToken,
            Command(DirectorySql.HealClock, _leaseDuration, IClusterDirectory.OrphanWait)).ConfigureAwait(false);
        foreach (double seconds in ahead)
        {
            DirectoryLog.ClockWentBack(_logger, seconds);
        }
    }

    private Task<IReadOnlyList<T>> ListAsync<T>(
        Func<NpgsqlDataReader, T> read, NpgsqlBatchCommand command, CancellationToken cancellationToken) =>
        RunAsync<IReadOnlyList<T>>(
            async (connection, stop) => await ReadAsync(connection, read, stop, command).ConfigureAwait(false), cancellationToken);

    /// <summary>Runs a fenced statement, after the locks that it needs. Its answer has at least one row.</summary>
    private Task<List<T>> ReadFencedAsync<T>(
        RecordOrigin me, Func<NpgsqlDataReader, T> read, CancellationToken cancellationToken, params NpgsqlBatchCommand[] commands) =>
        RunAsync(
            (connection, stop) => ReadAsync(
                connection, row => row.GetBoolean(0) ? read(row) : throw new NodeFencedException(me), stop, commands),
            cancellationToken);

    private async Task<T> FencedAsync<T>(
        RecordOrigin me, Func<NpgsqlDataReader, T> read, CancellationToken cancellationToken, params NpgsqlBatchCommand[] commands) =>
        (await ReadFencedAsync(me, read, cancellationToken, commands).ConfigureAwait(false))[0];

    private Task<bool> FencedAsync(RecordOrigin me, NpgsqlBatchCommand command, CancellationToken cancellationToken) =>
        FencedAsync(me, static _ => true, cancellationToken, command);

    private async Task<T> RunAsync<T>(Func<NpgsqlConnection, CancellationToken, Task<T>> work, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                NpgsqlConnection connection = await _source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
                await using (connection.ConfigureAwait(false))
                {
                    if (!_hasSchema)
                    {
                        await PostgresClusterSchema.EnsureAsync(connection, cancellationToken).ConfigureAwait(false);
                        _hasSchema = true;
                    }

                    return await work(connection, cancellationToken).ConfigureAwait(false);
                }
            }
            catch (Exception exception) when (PostgresSource.IsDatabaseError(exception))
            {
                if (attempt < MaxAttempts && PostgresSource.IsPassing(exception))
                {
                    // The other pooled connections broke with this one.
                    _source.Clear();
                    continue;
                }

                throw new ClusterDirectoryException(
                    $"The cluster's directory, {_location}, did not do the work: {PostgresSource.Explain(exception)}",
                    exception);
            }
        }
    }
}
