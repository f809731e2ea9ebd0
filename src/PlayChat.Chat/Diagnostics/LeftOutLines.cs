using Serilog.Events;

namespace PlayChat.Chat.Diagnostics;

/// <summary>How many lines of an event were left out.</summary>
internal readonly record struct LeftOutLines(string Event, string Context, LogEventLevel Level, long Count, string Source, int Seconds);
