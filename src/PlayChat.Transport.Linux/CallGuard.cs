namespace PlayChat.Transport.Linux;

/// <summary>Tells whether a thread is inside a system call of one direction of a link.</summary>
/// <remarks>
/// Invariant: a thread that enters and then sees the link as not disposed may use the file until it leaves. <see cref="Enter"/> is a full
/// fence, and the disposal has one between setting its flag and reading this guard. So either the caller sees the disposal, or the disposal
/// sees the caller and waits.
/// </remarks>
internal struct CallGuard
{
    private int _isInside;

    internal void Enter() => Interlocked.Exchange(ref _isInside, 1);

    internal void Leave() => Volatile.Write(ref _isInside, 0);

    /// <summary>Waits until no thread is inside. The system calls do not block, so this does not either.</summary>
    internal readonly void WaitUntilLeft()
    {
        SpinWait wait = default;
        while (Volatile.Read(in _isInside) != 0)
        {
            wait.SpinOnce(sleep1Threshold: -1); // no sleep: this may be a loop's thread
        }
    }
}
