namespace PlayChat.Core.Connections;

/// <summary>Where a frame is being written.</summary>
internal enum FramePlace
{
    /// <summary>Nowhere: it does not fit, or the connection is ending.</summary>
    None,

    /// <summary>Behind the answers of the batch that this thread handles (<see cref="HandlerThread.Answers"/>): no lock.</summary>
    Answers,

    /// <summary>The same, where they have become a batch of several pieces, or go behind what waited already.</summary>
    Cork,

    /// <summary>The queue; its lock is held until the frame is ended or abandoned.</summary>
    Queue,
}
