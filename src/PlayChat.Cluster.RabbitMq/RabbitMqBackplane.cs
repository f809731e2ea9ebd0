using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;

namespace PlayChat.Cluster.RabbitMq;

/// <summary>The log of every shard as a stream of RabbitMQ 3.9 or newer. It creates the streams.</summary>
/// <remarks>
/// <para>A node has two connections, one to write and one to read, so that a broker that slows writers down does not hold up readers. Each
/// shard has a channel and a loop that writes; each subscription has a channel, whose handler is called by the connection's
/// dispatcher.</para>
/// <para>A broker confirms a record when most replicas of the stream have it, which does not mean that it is on their disks.</para>
/// </remarks>
public sealed class RabbitMqBackplane : RemoteBackplane
{
    private static readonly TimeSpan s_longestAttempt = TimeSpan.FromSeconds(15);
    private static readonly BasicProperties s_batch = new();

    private readonly RabbitMqBackplaneOptions _options;
    private readonly BrokerAddress _address;
    private readonly uint[] _epochs; // by shard; written while connecting
    private readonly WakeUp[] _write; // by shard
    private readonly WakeUp _attach = new();

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
        _address = new BrokerAddress(options);
        _epochs = new uint[ShardCount];
        _write = Enumerable.Range(0, ShardCount).Select(static _ => new WakeUp()).ToArray();
        Location = _address.ToString();
        Start();
    }

    /// <inheritdoc/>
    protected override string Location { get; }

    /// <inheritdoc/>
    protected override void OnPending(int shard) => _write[shard].Set();

    /// <inheritdoc/>
    protected override ShardSubscription CreateSubscription() => new RabbitMqSubscription();

    /// <inheritdoc/>
    protected override void OnSubscribed(ShardSubscription subscription) => _attach.Set();

    /// <inheritdoc/>
    protected override async Task RunSessionAsync(CancellationTokenSource session)
    {
        ArgumentNullException.ThrowIfNull(session);
        CancellationToken stop = session.Token;
        using var attempt = CancellationTokenSource.CreateLinkedTokenSource(stop);
        attempt.CancelAfter(s_longestAttempt);
        BrokerLink link = await BrokerLink.OpenAsync(_address, attempt.Token).ConfigureAwait(false);
        await using (link.ConfigureAwait(false))
        {
            // The broker answers 541 when two nodes create a stream at once, and 404 while a stream starts: the next attempt succeeds.
            var publishers = new StreamPublisher[ShardCount];
            for (int shard = 0; shard < ShardCount; shard++)
            {
                publishers[shard] = await PrepareAsync(link, shard, attempt.Token).ConfigureAwait(false);
            }

            for (int shard = 0; shard < ShardCount; shard++)
            {
                Rewind(shard);
            }

            OnReady();
            await RunLoopsAsync(
                session,
                [
                    link.Broken.WaitAsync(stop),
                    AttachAsync(link, stop),
                    .. publishers.Select((publisher, shard) => WriteAsync(publisher, shard, stop)),
                ]).ConfigureAwait(false);
        }
    }

    private static RabbitMqBackplaneOptions Checked(RabbitMqBackplaneOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        return options;
    }

    private string StreamOf(int shard) => FormattableString.Invariant($"{_options.StreamPrefix}{shard}");

    /// <summary>Makes the stream of a shard if it is missing, and finds out its epoch.</summary>
    private async Task<StreamPublisher> PrepareAsync(BrokerLink link, int shard, CancellationToken cancellationToken)
    {
        string stream = StreamOf(shard);
        IChannel channel = await link.OpenWriterAsync(cancellationToken).ConfigureAwait(false);
        var publisher = new StreamPublisher(channel, stream, (number, before) => OnConfirmed(shard, number, before), link.Break);
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
        _epochs[shard] = await finder.FindAsync(link, stream, cancellationToken).ConfigureAwait(false);
        return publisher;
    }

    // The highest one that this node knows: a stream that was deleted must get a higher one, even if the clock was set back.
    private long HighestEpoch(int shard) => GetSubscriptions()
        .Where(subscription => subscription.Shard == shard)
        .Select(static subscription => (long)(subscription.Reader.Position?.Epoch ?? 0))
        .Append(_epochs[shard])
        .Max();

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
            while (TakeGreeting(shard, _epochs[shard]) is { } greeting)
            {
                await publisher.PublishAsync(0, greeting, s_batch, cancellationToken).ConfigureAwait(false);
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

    private async Task AttachAsync(BrokerLink link, CancellationToken cancellationToken)
    {
        while (true)
        {
            foreach (RabbitMqSubscription subscription in GetSubscriptions().Cast<RabbitMqSubscription>())
            {
                if (!subscription.IsAttachedTo(link))
                {
                    await AttachAsync(link, subscription, cancellationToken).ConfigureAwait(false);
                }
            }

            await _attach.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task AttachAsync(BrokerLink link, RabbitMqSubscription subscription, CancellationToken cancellationToken)
    {
        int shard = subscription.Shard;
        IChannel channel = await link.OpenReaderAsync(cancellationToken).ConfigureAwait(false);
        if (await subscription.OpenAsync(link, channel).ConfigureAwait(false) is not { } from)
        {
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
            (at, type, body) => type == StreamNames.EpochType ? Task.FromResult(true) : subscription.ReadAsync(link, at, body),
            link.Break);
        await consumer.BeginAsync(StreamOf(shard), offset, _options.Prefetch, cancellationToken).ConfigureAwait(false);
        Greet(subscription);
        _write[shard].Set();
    }
}
