namespace PlayChat.Core.Transport;

/// <summary>A link as the stream that <see cref="System.Net.Security.SslStream"/> needs. Owns the link.</summary>
internal sealed class TransportStream(TransportConnection link) : Stream
{
    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        // SslStream first reads zero bytes, so that it holds no buffer while a connection is silent.
        return buffer.IsEmpty ? WaitAsync() : link.ReceiveAsync(buffer);
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (!await link.SendAsync(buffer).ConfigureAwait(false))
        {
            throw new IOException("The link has ended.");
        }
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("Only asynchronous.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("Only asynchronous.");

    public override void Flush()
    {
        // Writes are sent at once, so there is nothing to flush.
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            link.Dispose();
        }

        base.Dispose(disposing);
    }

    private async ValueTask<int> WaitAsync()
    {
        await link.WaitForDataAsync().ConfigureAwait(false);
        return 0;
    }
}
