using PlayChat.Cluster.Log;
using PlayChat.Cluster.RabbitMq;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Cluster.Tests.RabbitMq;

/// <summary>Streams of the test's own. Stopping the broker's threads takes them away.</summary>
/// <param name="server">The broker.</param>
/// <param name="isSmall">Whether a few megabytes trim the streams.</param>
internal sealed class RabbitMqSpace(RabbitMqServer server, bool isSmall) : BackplaneSpace
{
    private const int MaxStreamBytes = 4_000_000;

    private readonly string _prefix = $"contract-{Guid.NewGuid():N}.";
    private bool _isFrozen;

    public override RoomBackplane Open(RecordOrigin origin, BackplaneOptions options)
    {
        var stream = new RabbitMqBackplaneOptions
        {
            Endpoints = [server.Endpoint],
            StreamPrefix = _prefix,
            ShardCount = Shards,
            Limits = options,
        };
        if (isSmall)
        {
            stream.MaxStreamBytes = MaxStreamBytes;
            stream.SegmentBytes = MaxStreamBytes / 4;
        }

        return new RabbitMqBackplane(stream, origin);
    }

    // The first message of a stream names its epoch.
    public override async Task<uint> GetEpochAsync() =>
        RecordBatch.TryRead(await server.ReceiveFirstAsync(_prefix + "0"), out RecordBatch first) == BatchStatus.Valid
            ? first.Header.Epoch
            : throw new InvalidOperationException("The stream does not begin with its epoch.");

    public override Task AppendAsync(byte[] batch) => server.SendAsync(_prefix + "0", batch);

    public override async Task TrimAsync()
    {
        RoomBackplane filler = await ConnectAsync(new RecordOrigin(99, 1));
        var recorder = new ShardRecorder();
        await filler.SubscribeAsync(0, SubscribeFrom.Tail, recorder);
        var record = new RoomRecord { Kind = 1, Body = new byte[32 << 10] };
        for (int i = 0; i < 4 * MaxStreamBytes / record.Body.Length; i++)
        {
            await Eventually.TrueAsync(() => filler.Publish(0, in record) == PublishResult.Accepted);
        }

        // Of the others the reader may miss some: the stream drops its oldest while it reads.
        await Eventually.TrueAsync(() => filler.Publish(0, ShardRecorder.Record("filled")) == PublishResult.Accepted);
        await Eventually.TrueAsync(() => recorder.Texts.Contains("filled", StringComparer.Ordinal));
    }

    public override Task ReplaceAsync() => server.DeleteAsync(_prefix + "0");

    public override Task SuspendAsync()
    {
        server.Freeze();
        _isFrozen = true;
        return Task.CompletedTask;
    }

    public override Task ResumeAsync()
    {
        server.Thaw();
        _isFrozen = false;
        return Task.CompletedTask;
    }

    public override async ValueTask DisposeAsync()
    {
        if (_isFrozen)
        {
            server.Thaw();
        }

        await base.DisposeAsync();
        for (int shard = 0; shard < Shards; shard++)
        {
            await server.DeleteAsync($"{_prefix}{shard}");
        }
    }
}
