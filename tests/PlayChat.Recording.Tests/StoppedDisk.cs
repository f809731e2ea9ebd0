namespace PlayChat.Recording.Tests;

/// <summary>A file on a disk that writes nothing until it is released.</summary>
internal sealed class StoppedDisk : MemoryStream
{
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal void Release() => _released.TrySetResult();

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await _released.Task.WaitAsync(cancellationToken);
        await base.WriteAsync(buffer, cancellationToken);
    }
}
