namespace PlayChat.Storage.Tests.ChatLog;

/// <summary>A file whose disk is full, or cannot be read, while it is told to be so.</summary>
internal sealed class FaultyFile(string path) : FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, bufferSize: 0)
{
    private volatile bool _isFull;
    private volatile bool _isUnreadable;

    public bool IsFull
    {
        get => _isFull;
        set => _isFull = value;
    }

    public bool IsUnreadable
    {
        get => _isUnreadable;
        set => _isUnreadable = value;
    }

    // A derived stream's other reads end here.
    public override int Read(byte[] buffer, int offset, int count) =>
        _isUnreadable ? throw new IOException("The test's device is broken.") : base.Read(buffer, offset, count);

    // And its other writes here.
    public override void Write(byte[] buffer, int offset, int count)
    {
        if (_isFull)
        {
            throw new IOException("No space left on the test's device.");
        }

        base.Write(buffer, offset, count);
    }
}
