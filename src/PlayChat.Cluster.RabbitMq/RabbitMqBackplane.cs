using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using PlayChat.Cluster.RabbitMq.Diagnostics;
using PlayChat.Core.Cluster;
using RabbitMQ.Client;

namespace PlayChat.Cluster.RabbitMq;

/// <summary>The log of every shard as a stream of RabbitMQ 3.9 or newer. It creates the streams.</summary>
/// <remarks>
/// <para>A node has two connections, one to write and one to read, so that a broker that slows writers down does not hold up readers. Each
/// shard has a channel and a loop that writes; each subscription has a channel, whose handler is called by the connection's
/// dispatcher.</para>
/// <para>A broker confirms a record when most replicas of the stream have it, which does not mean that it is on their disks.</para>
/// </remarks>
public sealed class RabbitMqBackplane : RoomBackplane
{
    private static readonly TimeSpan s_firstDelay = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_longestDelay = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_longestAttempt = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan s_longestClose = TimeSpan.FromSeconds(1);
    private static readonly BasicProperties s_batch = new();

    private readonly RabbitMqBackplaneOptions _options;
    private readonly ConnectionFactory _factory;
    private readonly AmqpTcpEndpoint[] _endpoints;
    private readonly string _location;
    private readonly uint[] _epochs; // by shard; written while connecting
    private readonly WakeUp[] _write; // by shard
    private readonly WakeUp _attach = new();
    private readonly object _gate = new();
    private readonly List<RabbitMqSubscription> _subscriptions = []; // guarded by _gate
    private readonly List<RabbitMqSubscription> _greetings = []; // guarded by _gate: to be written
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
    public RabbitMqBackplane(
        RabbitMqBackplaneOptions options,
        RecordOrigin origin,
        ILoggerFactory? loggers = null,
        IMeterFactory? meters = null,
        TimeProvider? time = null)
        : base(Checked(options).ShardCount, origin, options.Limits, loggers, meters, time)
    {
        _options = options.Copy();
        _endpoints = options.ParseEndpoints();
        _location = string.Join(", ", _endpoints.Select(static endpoint => $"{endpoint.HostName}:{endpoint.Port}"));
        _factory = new ConnectionFactory
        {
            UserName = options.UserName,
            Password = options.Password,
            VirtualHost = options.VirtualHost,
            RequestedHeartbeat = options.Heartbeat,
            // Recovery would read again from where the first subscription began.
            AutomaticRecoveryEnabled = false,
            TopologyRecoveryEnabled = false,
        };
        _epochs = new uint[ShardCount];
        _write = Enumerable.Range(0, ShardCount).Select(static _ => new WakeUp()).ToArray();
        _running = Task.Run(RunAsync);
    }

    /// <inheritdoc/>
    protected override void OnPending(int shard) => _write[shard].Set();

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
        var subscription = new RabbitMqSubscription(shard, Forget);
        subscription.Reader = CreateReader(shard, from, handler, subscription.OnHello);
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            _subscriptions.Add(subscription);
        }

        _attach.Set();
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
        RabbitMqSubscription[] subscriptions;
        lock (_gate)
        {
            _isDisposed = true;
            subscriptions = [.. _subscriptions];
        }

        await _stop.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        foreach (RabbitMqSubscription subscription in subscriptions)
        {
            await subscription.DisposeAsync().ConfigureAwait(false);
        }

        _stop.Dispose();
    }

    private static RabbitMqBackplaneOptions Checked(RabbitMqBackplaneOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        return options;
    }

    private string StreamOf(int shard) => FormattableString.Invariant($"{_options.StreamPrefix}{shard}");

    private void Forget(RabbitMqSubscription subscription)
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
                RabbitMqClusterLog.Lost(Logger, _location, end?.Message ?? "it did not answer");
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

        IConnection? writing = null;
        IConnection? reading = null;
        try
        {
            using var attempt = CancellationTokenSource.CreateLinkedTokenSource(session.Token);
            attempt.CancelAfter(s_longestAttempt);
            writing = await _factory.CreateConnectionAsync(_endpoints, "PlayChat, writing", attempt.Token).ConfigureAwait(false);
            reading = await _factory.CreateConnectionAsync(_endpoints, "PlayChat, reading", attempt.Token).ConfigureAwait(false);
            await RunSessionAsync(writing, reading, session, attempt.Token).ConfigureAwait(false);
            return null;
        }
        catch (Exception exception)
        {
            // All kinds: the client throws what its parts throw, for example ChannelClosedException, when a connection ends during a call.
            // The broker itself answers 541 when two nodes create a stream at once, 404 while a stream starts, and 320 when it stops.
            return exception is OperationCanceledException ? null : exception;
        }
        finally
        {
            lock (_gate)
            {
                _session = null;
            }

            // Only a connection that is gone allows to send its unconfirmed batches again.
            await DropAsync(writing).ConfigureAwait(false);
            await DropAsync(reading).ConfigureAwait(false);
        }
    }

    private static async Task DropAsync(IConnection? connection)
    {
        if (connection is not null)
        {
            await connection.AbortAsync(s_longestClose).ConfigureAwait(false); // throws nothing
            await connection.DisposeAsync().AsTask().WaitAsync(s_longestClose).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task RunSessionAsync(
        IConnection writing, IConnection reading, CancellationTokenSource session, CancellationToken attempt)
    {
        CancellationToken stop = session.Token;
        var broken = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        void OnBroken(string reason) => broken.TrySetException(new IOException(reason));
        Watch(writing, OnBroken);
        Watch(reading, OnBroken);

        var publishers = new StreamPublisher[ShardCount];
        for (int shard = 0; shard < ShardCount; shard++)
        {
            publishers[shard] = await PrepareAsync(writing, reading, shard, OnBroken, attempt).ConfigureAwait(false);
        }

        for (int shard = 0; shard < ShardCount; shard++)
        {
            Rewind(shard);
        }

        lock (_gate)
        {
            _greetings.Clear(); // every subscription attaches anew
        }

        _connection++;
        RabbitMqClusterLog.Connected(Logger, _location);
        OnConnected();
        Task[] loops =
        [
            broken.Task,
            AttachAsync(reading, OnBroken, stop),
            .. publishers.Select((publisher, shard) => WriteAsync(publisher, shard, stop)),
        ];
        Task first = await Task.WhenAny(loops).ConfigureAwait(false);
        await session.CancelAsync().ConfigureAwait(false);
        broken.TrySetCanceled(CancellationToken.None);
        await Task.WhenAll(loops).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await first.ConfigureAwait(false);
    }

    private static void Watch(IConnection connection, Action<string> onBroken)
    {
        connection.ConnectionShutdownAsync += (_, reason) =>
        {
            onBroken(reason.ReplyText);
            return Task.CompletedTask;
        };
        connection.CallbackExceptionAsync += (_, fault) =>
        {
            onBroken(fault.Exception.Message);
            return Task.CompletedTask;
        };
    }

    private static void Watch(IChannel channel, Action<string> onBroken)
    {
        channel.ChannelShutdownAsync += (_, reason) =>
        {
            // What the node itself closes is a subscription that ends.
            if (reason.Initiator != ShutdownInitiator.Application)
            {
                onBroken(reason.ReplyText);
            }

            return Task.CompletedTask;
        };
        channel.CallbackExceptionAsync += (_, fault) =>
        {
            onBroken(fault.Exception.Message);
            return Task.CompletedTask;
        };
    }

    /// <summary>Makes the stream of a shard if it is missing, and finds out its epoch.</summary>
    private async Task<StreamPublisher> PrepareAsync(
        IConnection writing, IConnection reading, int shard, Action<string> onBroken, CancellationToken cancellationToken)
    {
        string stream = StreamOf(shard);
        IChannel channel = await writing.CreateChannelAsync(
            new CreateChannelOptions(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: false), cancellationToken)
            .ConfigureAwait(false);
        Watch(channel, onBroken);
        var publisher = new StreamPublisher(channel, stream, (number, before) => OnConfirmed(shard, number, before), onBroken);
        await channel.QueueDeclareAsync(
            stream,
            durable: true,
            exclusive: false,
            autoDelete: false,
            StreamNames.Arguments(_options),
            cancellationToken: cancellationToken).ConfigureAwait(false);

        var finder = new EpochFinder();
        uint proposed = (uint)Math.Max(Time.GetUtcNow().ToUnixTimeSeconds(), HighestEpoch(shard) + 1);
        await publisher.PublishAsync(
            0,
            RecordBatch.WriteHello(Origin, proposed, finder.Nonce),
            new BasicProperties { Type = StreamNames.EpochType },
            cancellationToken).ConfigureAwait(false);
        _epochs[shard] = await finder.FindAsync(reading, stream, onBroken, cancellationToken).ConfigureAwait(false);
        return publisher;
    }

    // The highest one that this node knows: a stream that was deleted must get a higher one, even if the clock was set back.
    private long HighestEpoch(int shard)
    {
        lock (_gate)
        {
            return _subscriptions.Where(subscription => subscription.Shard == shard)
                .Select(static subscription => (long)(subscription.Reader.Position?.Epoch ?? 0))
                .Append(_epochs[shard])
                .Max();
        }
    }

    private void OnConfirmed(int shard, long number, int before)
    {
        if (number > 0)
        {
            GetQueue(shard).Confirm(number, multiple: false);
        }

        if (before >= _options.Limits.MaxUnconfirmed)
        {
            _write[shard].Set(); // batches may wait because too many were unconfirmed
        }

        OnAnswer();
    }

    private async Task WriteAsync(StreamPublisher publisher, int shard, CancellationToken cancellationToken)
    {
        BatchQueue queue = GetQueue(shard);
        while (true)
        {
            while (TakeGreeting(shard) is { } greeting)
            {
                await publisher.PublishAsync(
                    0, RecordBatch.WriteHello(Origin, _epochs[shard], greeting.Nonce), s_batch, cancellationToken).ConfigureAwait(false);
            }

            while (queue.TryTake(_epochs[shard], out PendingBatch batch))
            {
                await publisher.PublishAsync(batch.Number, batch.Bytes, s_batch, cancellationToken).ConfigureAwait(false);
            }

            await _write[shard].WaitAsync(cancellationToken).ConfigureAwait(false);
            if (_options.BatchDelay > TimeSpan.Zero)
            {
                await Task.Delay(_options.BatchDelay, Time, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    private RabbitMqSubscription? TakeGreeting(int shard)
    {
        lock (_gate)
        {
            RabbitMqSubscription? greeting = _greetings.Find(subscription => subscription.Shard == shard);
            if (greeting is not null)
            {
                _greetings.Remove(greeting);
            }

            return greeting;
        }
    }

    private async Task AttachAsync(IConnection connection, Action<string> onBroken, CancellationToken cancellationToken)
    {
        while (true)
        {
            RabbitMqSubscription[] subscriptions;
            lock (_gate)
            {
                subscriptions = [.. _subscriptions];
            }

            foreach (RabbitMqSubscription subscription in subscriptions)
            {
                if (subscription.AttachedTo != _connection)
                {
                    await AttachAsync(connection, subscription, onBroken, cancellationToken).ConfigureAwait(false);
                    subscription.AttachedTo = _connection;
                }
            }

            await _attach.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task AttachAsync(
        IConnection connection, RabbitMqSubscription subscription, Action<string> onBroken, CancellationToken cancellationToken)
    {
        int shard = subscription.Shard;
        IChannel channel = await connection.CreateChannelAsync(null, cancellationToken).ConfigureAwait(false);
        Watch(channel, onBroken);
        if (await subscription.AttachAsync(channel).ConfigureAwait(false) is not { } from)
        {
            await channel.AbortAsync(cancellationToken).ConfigureAwait(false);
            return;
        }

        object offset = from switch
        {
            { Position: { } position } when position.Epoch == _epochs[shard] => Math.Max(0, position.Offset),
            { Position: null, IsEarliest: false } => "next",
            _ => "first",
        };
        var consumer = new StreamConsumer(
            channel,
            _options.Prefetch / 4,
            (at, type, body) => type == StreamNames.EpochType ? Task.FromResult(true) : subscription.ReadAsync(channel, at, body),
            onBroken);
        await consumer.BeginAsync(StreamOf(shard), offset, _options.Prefetch, cancellationToken).ConfigureAwait(false);
        lock (_gate)
        {
            _greetings.Add(subscription);
        }

        _write[shard].Set();
    }
}
