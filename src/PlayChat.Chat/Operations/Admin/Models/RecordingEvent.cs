namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>What a recorded room did, got or sent; numbers and turns begin at 1. The session is the one that did it, if one did.</summary>
internal sealed record RecordingEvent(
    long Number, double AtSeconds, long Turn, long Tick, string Kind, string? Session, string Text, string? Content);
