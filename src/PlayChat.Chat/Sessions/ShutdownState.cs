namespace PlayChat.Chat.Sessions;

/// <summary>
/// Says whether the server is stopping. A stopping server finishes the requests it has begun and accepts no new ones. Thread-safe.
/// </summary>
internal sealed class ShutdownState
{
    /// <summary>The text that accompanies <c>SERVER_SHUTDOWN</c>.</summary>
    public const string Message = "The server is stopping. Connect again later.";

    private volatile bool _isStopping;

    public bool IsStopping => _isStopping;

    public void Begin() => _isStopping = true;
}
