namespace PlayChat.Storage.ChatLog;

/// <summary>What happens to a record when the queue of the chat log is full.</summary>
public enum ChatLogFullPolicy
{
    /// <summary>It is not stored, and counted as such. Chat goes on at full speed; the log has holes.</summary>
    Count = 0,

    /// <summary>Its sender waits for space (<see cref="ChatLogWriter.AppendAsync"/>). The log is whole; a slow database slows chat.</summary>
    Wait = 1,
}
