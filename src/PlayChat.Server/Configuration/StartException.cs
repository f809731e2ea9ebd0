namespace PlayChat.Server.Configuration;

/// <summary>The server cannot start as it was asked to. The message is for the person who started it: what is wrong, and what is allowed.</summary>
internal sealed class StartException(string message, Exception? innerException = null) : Exception(message, innerException);
