using System.Security.Cryptography;

namespace PlayChat.Cluster.RabbitMq;

/// <summary>Finds out the epoch of a stream. All nodes agree on it, even if several create the stream at the same time.</summary>
/// <remarks>
/// Every node that connects appends a proposal. The proposal at offset 0 is the stream's epoch. After retention has deleted it, the first
/// remaining batch has the epoch, which its writer knew. If there is no batch before the node's own proposal, the highest proposal counts.
/// </remarks>
internal sealed class EpochFinder
{
    private readonly TaskCompletionSource<uint> _found = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private uint _highest;

    /// <summary>The number in this node's own proposal.</summary>
    public ulong Nonce { get; } = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    public async Task<uint> FindAsync(BrokerLink link, string stream, CancellationToken cancellationToken)
    {
        IChannel channel = await link.OpenReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            channel.ChannelShutdownAsync += (_, reason) =>
            {
                _found.TrySetException(new IOException(reason.ReplyText));
                return Task.CompletedTask;
            };
            var consumer = new StreamConsumer(channel, credit: 1, OnMessageAsync, link.Break);
            await consumer.BeginAsync(stream, "first", prefetch: 1, cancellationToken).ConfigureAwait(false);
            uint epoch = await _found.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
            await channel.AbortAsync(cancellationToken).ConfigureAwait(false);
            return epoch;
        }
    }

    private Task<bool> OnMessageAsync(long offset, string? type, ReadOnlyMemory<byte> bytes)
    {
        if (!_found.Task.IsCompleted && RecordBatch.TryRead(bytes, out RecordBatch batch) == BatchStatus.Valid)
        {
            _highest = Math.Max(_highest, batch.Header.Epoch);
            if (type != StreamNames.EpochType || offset == 0)
            {
                _found.TrySetResult(batch.Header.Epoch);
            }
            else if (IsOwn(batch))
            {
                _found.TrySetResult(_highest);
            }
        }

        return Task.FromResult(!_found.Task.IsCompleted);
    }

    private bool IsOwn(RecordBatch batch)
    {
        foreach (RoomRecord record in batch)
        {
            if (record.Token == Nonce)
            {
                return true;
            }
        }

        return false;
    }
}
