namespace PlayChat.Recording;

/// <summary>A replay does not continue, or what a test expects of it is not true.</summary>
public sealed class RoomReplayException : Exception
{
    internal RoomReplayException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
