namespace PlayChat.Core.Transport.Linux;

/// <summary>What an event loop watches: a link, a listener.</summary>
internal interface IEpollTarget
{
    /// <summary>Its place in the loop's table; −1 while it has none. The loop's own, under its lock.</summary>
    int Slot { get; set; }

    /// <summary>Something has changed. On the loop's thread.</summary>
    void OnEvents(EpollEvents events);
}
