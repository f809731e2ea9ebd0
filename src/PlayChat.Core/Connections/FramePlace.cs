namespace PlayChat.Core.Connections;

/// <summary>Where a frame is being written.</summary>
internal enum FramePlace
{
    /// <summary>Nowhere: it does not fit, or the connection is ending.</summary>
    None,

    /// <summary>Behind the answers of the batch that this thread handles (<see cref="BatchContext.Answers"/>): no lock.</summary>
    Answers,

    /// <summary>The same, where the answers take several pieces of memory, or go behind frames that were queued before.</summary>
    Cork,

    /// <summary>The queue; its gate is locked until the frame is ended or abandoned.</summary>
    Queue,
}
