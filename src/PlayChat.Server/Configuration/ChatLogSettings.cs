using PlayChat.Options;
using PlayChat.Storage.ChatLog;

namespace PlayChat.Server.Configuration;

/// <summary>Section <c>ChatLog</c>.</summary>
internal sealed class ChatLogSettings
{
    [Option(
        "Folder of the chat log's files, one a day; relative to the current directory.", Allowed = "a folder, or empty for no file")]
    public string Directory { get; set; } = "logs/chat";

    [Option(
        "Size of a chat log file, in bytes, at which the log of the day continues in another (`chat-YYYYMMDD_001.jsonl`).",
        Min = 65_536,
        Max = 1_099_511_627_776,
        WhenReached = "The server begins another file.")]
    public long FileBytes { get; set; } = 134_217_728;

    [Option(
        "Number of chat log files that the server keeps, that of the day included; 0 keeps all of them.",
        Min = 0,
        Max = 1_000_000,
        WhenReached = "The server deletes the oldest file. The database keeps its messages.",
        Why = "Players that flood the chat would fill the disk.")]
    public int RetainedFiles { get; set; } = 100;

    [Option(
        "Days that the server keeps chat log files; 0 keeps them without end.",
        Min = 0,
        Max = 36_500,
        WhenReached = "The server deletes the files of older days when it begins a file. The database keeps their messages.")]
    public int RetainedDays { get; set; }

    [Option(
        "Days that the database keeps messages; 0 keeps them without end. Rooms and accounts stay.",
        Min = 0,
        Max = 36_500,
        Reloadable = true,
        WhenReached = "The server deletes older messages, looking once an hour, in small batches.",
        SeenIn = "the log, `db delete` in the figures")]
    public int RetainedMessageDays { get; set; }

    [Option(
        "When members hear a message: with Async at once, and a killed server may lose the newest; with Stored when the database has it.")]
    public Durability Durability { get; set; }

    [Option(
        "A SQLite file that takes messages while the database is unavailable and the queue nearly full (Async); relative to the current "
            + "directory. Each server needs its own.",
        Allowed = "a file, or empty for none")]
    public string SpillFile { get; set; } = "data/chat-spill.db";

    [Option(
        "Size of that file, in bytes, at which it takes no more. Its write-ahead log beside it takes a few megabytes more.",
        Min = 65_536,
        Max = 1_099_511_627_776,
        WhenReached = "The queue of messages that are not stored yet fills, and the server logs one error.",
        SeenIn = "`chat in spill` in the figures")]
    public long SpillBytes { get; set; } = 1_073_741_824;

    [OptionOf(typeof(ChatLogOptions), nameof(ChatLogOptions.MaxQueuedRecords))]
    public int QueueRecords { get; set; }

    [OptionOf(typeof(ChatLogOptions), nameof(ChatLogOptions.MaxQueuedBytes))]
    public long QueueBytes { get; set; }

    [OptionOf(typeof(ChatLogOptions), nameof(ChatLogOptions.FullPolicy))]
    public ChatLogFullPolicy FullPolicy { get; set; }

    [Option(
        "Longest wait of a sender with FullPolicy Wait or Durability Stored.",
        Min = "00:00:00",
        Max = "00:10:00",
        WhenReached = "The message is answered STORAGE_UNAVAILABLE.")]
    public TimeSpan FullTimeout { get; set; } = TimeSpan.FromSeconds(5);

    [OptionOf(typeof(ChatLogOptions), nameof(ChatLogOptions.FlushInterval))]
    public TimeSpan FlushInterval { get; set; }

    [OptionOf(typeof(ChatLogOptions), nameof(ChatLogOptions.MaxBatchRecords))]
    public int BatchRecords { get; set; }

    [OptionOf(typeof(ChatLogOptions), nameof(ChatLogOptions.StopTimeout))]
    public TimeSpan StopTimeout { get; set; }
}
