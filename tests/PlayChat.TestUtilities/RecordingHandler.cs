using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;

namespace PlayChat.TestUtilities;

/// <summary>Counts what a connection does, and leaves the frames to the test.</summary>
internal sealed class RecordingHandler : IConnectionHandler
{
    private int _handling;
    private int _frames;
    private int _closes;

    /// <summary>What becomes of a frame; nothing by default.</summary>
    internal FrameCall OnFrame { get; set; } = static (Connection _, in Frame _) => default;

    internal int Frames => Volatile.Read(ref _frames);

    /// <summary>How often the end was reported.</summary>
    internal int Closes => Volatile.Read(ref _closes);

    internal CloseReason Reason { get; private set; }

    /// <summary>Whether the end was reported while a handler was at work: must stay false.</summary>
    internal bool ClosedTooEarly { get; private set; }

    public ValueTask HandleAsync(Connection connection, in Frame frame)
    {
        Interlocked.Increment(ref _frames);
        Interlocked.Increment(ref _handling);
        ValueTask handling;
        try
        {
            handling = OnFrame(connection, in frame);
        }
        catch
        {
            Interlocked.Decrement(ref _handling);
            throw;
        }

        if (handling.IsCompletedSuccessfully)
        {
            Interlocked.Decrement(ref _handling);
            return default;
        }

        return HandledAsync(handling);
    }

    public void OnClosed(Connection connection, CloseReason reason)
    {
        ClosedTooEarly |= Volatile.Read(ref _handling) != 0;
        Reason = reason;
        Interlocked.Increment(ref _closes);
    }

    private async ValueTask HandledAsync(ValueTask handling)
    {
        try
        {
            await handling.ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _handling);
        }
    }
}
