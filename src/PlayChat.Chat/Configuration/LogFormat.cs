namespace PlayChat.Chat.Configuration;

/// <summary>How a line of the program's own log looks.</summary>
internal enum LogFormat
{
    /// <summary>For people: as the output templates of section <c>Serilog</c> say.</summary>
    Text,

    /// <summary>For programs: one JSON object for each line.</summary>
    Json,
}
