using PlayChat.Options;
using PlayChat.Storage.ChatLog;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>ChatLog</c>: the files, and the options of the writer.</summary>
internal sealed class ChatLogSettings : ChatLogOptions
{
    // The log says that the database does not answer when senders are told so, or soon enough for a reader of the log.
    private static readonly TimeSpan s_minWarnAfter = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_maxWarnAfter = TimeSpan.FromSeconds(5);

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

    [Option(
        "Longest wait of a sender with FullPolicy Wait or Durability Stored.",
        Min = "00:00:00",
        Max = "00:10:00",
        WhenReached = "The message is answered STORAGE_UNAVAILABLE.")]
    public TimeSpan FullTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Makes the options of the writer. With Stored every sender waits: nothing may be left out.</summary>
    public ChatLogOptions ForWriter()
    {
        var options = (ChatLogSettings)MemberwiseClone();
        options.WarnAfter = TimeSpan.FromTicks(Math.Clamp(FullTimeout.Ticks, s_minWarnAfter.Ticks, s_maxWarnAfter.Ticks));
        if (Durability == Durability.Stored)
        {
            options.FlushInterval = TimeSpan.Zero; // a batch fills while the one before it is stored
            options.FullPolicy = ChatLogFullPolicy.Wait;
        }

        return options;
    }
}
