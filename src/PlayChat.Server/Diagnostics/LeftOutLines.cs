using Serilog.Events;

namespace PlayChat.Server.Diagnostics;

/// <summary>How many lines of an event were left out.</summary>
internal readonly record struct LeftOutLines(string Event, string Context, LogEventLevel Level, long Count, string Source, int Seconds);
