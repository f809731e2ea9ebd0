namespace PlayChat.Storage.Tests.ChatLog;

/// <summary>A file whose disk is full while it is told to be.</summary>
internal sealed class FaultyFile(string path) : FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, bufferSize: 0)
{
    private volatile bool _isFull;

    public bool IsFull
    {
        get => _isFull;
        set => _isFull = value;
    }

    // A derived stream's other writes end here.
    public override void Write(byte[] buffer, int offset, int count)
    {
        if (_isFull)
        {
            throw new IOException("No space left on the test's device.");
        }

        base.Write(buffer, offset, count);
    }
}
