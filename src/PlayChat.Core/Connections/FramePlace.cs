namespace PlayChat.Core.Connections;

/// <summary>Where a frame is being written.</summary>
internal enum FramePlace
{
    None, // nowhere: it does not fit, or the connection is ending
    Answers, // behind the answers of the batch that this thread handles (BatchContext.Answers): no lock
    Cork, // the same, where the answers take several pieces of memory, or go behind frames that were queued before
    Queue, // the queue; its gate is locked until the frame is ended or abandoned
}
