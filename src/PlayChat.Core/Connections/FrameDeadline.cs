namespace PlayChat.Core.Connections;

/// <summary>
/// How long the peer takes for the rest of a frame that it has begun, or of a message of its link
/// (<see cref="ConnectionOptions.FrameTimeout"/>).
/// </summary>
/// <remarks>
/// A mutable struct, embedded in the <see cref="ReceiveLoop"/>, which alone changes it: never copied. Any thread may ask. Invariant:
/// <c>_since</c> is <c>NoFrame</c> while no partial frame waits at the end, or the server itself does not read.
/// </remarks>
internal struct FrameDeadline
{
    // A large frame gets a second more for each so many bytes. Every network on which a game or a chat is usable is faster.
    private const int MinBytesPerSecond = 1024;

    private const long NoFrame = long.MaxValue;

    private long _since = NoFrame; // when the partial frame at the end began to come
    private long _grew; // when it last became longer
    private int _bytes; // how much of it was received

    public FrameDeadline()
    {
    }

    /// <summary>Whether the frame takes too long, or has paused for too long.</summary>
    internal bool IsOver(long now, TimeSpan timeout, TimeProvider time)
    {
        long since = Volatile.Read(ref _since);
        return since != NoFrame
            && timeout != Timeout.InfiniteTimeSpan
            && (time.GetElapsedTime(since, now) > timeout + TimeSpan.FromSeconds(_bytes / MinBytesPerSecond)
                || time.GetElapsedTime(Math.Max(since, Volatile.Read(ref _grew)), now) > timeout);
    }

    /// <summary>
    /// Notes when the partial frame at the end began, or the message of the link that has no frame yet: with the batch that took the frames
    /// before it.
    /// </summary>
    /// <param name="bytes">How much of it was received; 0 if there is none.</param>
    /// <param name="frames">How many whole frames the batch took.</param>
    /// <param name="now">When the batch came.</param>
    internal void Note(int bytes, int frames, long now)
    {
        if (bytes == 0)
        {
            if (_since != NoFrame)
            {
                Volatile.Write(ref _since, NoFrame);
            }

            return;
        }

        if (bytes != _bytes)
        {
            _bytes = bytes;
            Volatile.Write(ref _grew, now);
        }

        if (frames > 0 || _since == NoFrame)
        {
            Volatile.Write(ref _since, now);
        }
    }

    /// <summary>Stops the time of the partial frame: it is not the peer's fault that the rest is not read.</summary>
    /// <returns>For <see cref="Continue"/>.</returns>
    internal long Stop()
    {
        long since = _since;
        Volatile.Write(ref _since, NoFrame);
        return since;
    }

    /// <summary>Lets the time of the partial frame run again.</summary>
    /// <param name="since">What <see cref="Stop"/> has returned.</param>
    /// <param name="paused">How long it was stopped.</param>
    internal void Continue(long since, long paused)
    {
        if (since != NoFrame)
        {
            Volatile.Write(ref _grew, _grew + paused);
            Volatile.Write(ref _since, since + paused);
        }
    }
}
