using PlayChat.Storage.ChatLog;

namespace PlayChat.Server.Configuration;

/// <summary>Section <c>ChatLog</c>.</summary>
internal sealed class ChatLogSettings
{
    public string Directory { get; set; } = "";

    public Durability Durability { get; set; }

    public string SpillFile { get; set; } = "";

    public long SpillBytes { get; set; }

    public int QueueRecords { get; set; }

    public long QueueBytes { get; set; }

    public ChatLogFullPolicy FullPolicy { get; set; }

    public TimeSpan FullTimeout { get; set; }

    public TimeSpan FlushInterval { get; set; }

    public int BatchRecords { get; set; }

    public TimeSpan StopTimeout { get; set; }
}
