using Microsoft.AspNetCore.Connections;

namespace PlayChat.Benchmark.Baselines;

/// <summary>A connection of <see cref="KestrelServer"/>, as the others of its room see it.</summary>
internal sealed class KestrelPeer(ConnectionContext connection, BaselineHub hub) : IBaselineMember
{
    private readonly Outbox _outbox = new();

    public void Deliver(ReadOnlyMemory<byte> frames)
    {
        if (!_outbox.TryAppend(frames.Span))
        {
            hub.Counters.OnSlowConsumer();
            connection.Abort();
        }
    }

    public void Flush() => _ = SendOutboxAsync();

    // A pipe has one writer at a time, so the thread that flushes first also writes what arrives meanwhile.
    private async Task SendOutboxAsync()
    {
        try
        {
            for (bool more = _outbox.TryBegin(out ReadOnlyMemory<byte> block); more; more = _outbox.TryContinue(out block))
            {
                await connection.Transport.Output.WriteAsync(block);
                hub.Counters.OnSent(block.Length, operations: 0); // Kestrel sends on its own
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or InvalidOperationException)
        {
            // The receive loop ends as well.
        }
    }
}
