namespace PlayChat.Storage.ChatLog;

/// <summary>What the writer does with a record when the queue of the chat log is full.</summary>
public enum ChatLogFullPolicy
{
    /// <summary>Does not store the record, and counts it. Chat keeps its speed; the log has gaps.</summary>
    Count = 0,

    /// <summary>
    /// Makes the sender wait for space (<see cref="ChatLogWriter.AppendAsync"/>). The log is complete; a slow database slows chat.
    /// </summary>
    Wait = 1,
}
