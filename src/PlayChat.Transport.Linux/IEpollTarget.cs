namespace PlayChat.Transport.Linux;

/// <summary>What an event loop watches: a link or a listener.</summary>
internal interface IEpollTarget
{
    /// <summary>The target's place in the loop's table, or −1 while it has none. The loop sets it under its lock.</summary>
    int Slot { get; set; }

    /// <summary>Handles what has changed. The loop's thread calls it.</summary>
    void OnEvents(EpollEvents events);

    /// <summary>Handles the events for which the target asked the loop to wait, see <see cref="EpollLoop.Defer"/>.</summary>
    void OnDeferred();

    /// <summary>Fetches the reader that the next event calls into the cache. The loop calls it a little before the event.</summary>
    void PrefetchReader();

    /// <summary>Ends the target, because <see cref="OnEvents"/> or <see cref="OnDeferred"/> threw an exception, and logs it.</summary>
    void Fail(Exception exception);

    /// <summary>Ends the target, because the transport is disposed.</summary>
    void Abort();
}
