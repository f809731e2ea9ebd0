namespace PlayChat.Chat.Configuration;

/// <summary>The server cannot start with these settings. The message tells the operator what is wrong and what is allowed.</summary>
internal sealed class StartException(string message, Exception? innerException = null) : Exception(message, innerException)
{
    /// <summary>Whether the command line is what is wrong. Default false: the configuration, the environment or the machine.</summary>
    public bool IsBadArgument { get; init; }
}
