namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Whether all is well, at a glance.</summary>
internal sealed record ServerStatus(
    string Level, // ok, warning or critical
    string Summary, // one sentence
    IReadOnlyList<Warning> Warnings, // the most urgent first
    string Version,
    string Mode,
    DateTimeOffset StartedAt, // when the server began to count, in UTC
    bool IsDraining,
    int MaxConnections,
    IReadOnlyList<string> Endpoints, // where clients connect
    string? Database, // null without one
    Figures Figures); // the newest
