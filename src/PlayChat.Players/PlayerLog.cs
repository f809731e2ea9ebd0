using Microsoft.Extensions.Logging;

namespace PlayChat.Players;

/// <summary>Log messages of the writer. Event ids 6100 to 6199.</summary>
internal static partial class PlayerLog
{
    [LoggerMessage(6100, LogLevel.Warning, "Saving players fails; {Documents} documents wait for the next try: {Reason}")]
    public static partial void SaveFailed(ILogger logger, int documents, string reason, Exception exception);

    [LoggerMessage(6101, LogLevel.Information, "Players are saved again.")]
    public static partial void SaveRecovered(ILogger logger);

    [LoggerMessage(6102, LogLevel.Warning, "The writer of players is full and refuses saves: {Bytes} bytes wait for the store.")]
    public static partial void WriterFull(ILogger logger, long bytes);

    [LoggerMessage(6103, LogLevel.Error, "The writer of players stopped; {Documents} documents were not written.")]
    public static partial void StoppedIncomplete(ILogger logger, int documents);
}
