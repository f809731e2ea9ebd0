namespace PlayChat.Recording.Tests;

/// <summary>A file on a disk that becomes full.</summary>
internal sealed class FullDisk(int freeBytes) : MemoryStream
{
    internal const string Problem = "There is not enough space on the disk.";

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        Length + buffer.Length > freeBytes ? throw new IOException(Problem) : base.WriteAsync(buffer, cancellationToken);
}
