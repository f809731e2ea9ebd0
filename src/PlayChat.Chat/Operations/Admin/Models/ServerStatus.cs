namespace PlayChat.Chat.Operations.Admin.Models;

/// <summary>Whether all is well, at a glance.</summary>
/// <param name="Level">ok, warning or critical.</param>
/// <param name="Summary">One sentence.</param>
/// <param name="Warnings">What needs an operator, the most urgent first.</param>
/// <param name="Version">The server's version.</param>
/// <param name="Mode">chat, echo, broadcast or classroom.</param>
/// <param name="StartedAt">When the server began to count, in UTC.</param>
/// <param name="IsDraining">Whether the server is stopping.</param>
/// <param name="MaxConnections">The most connections.</param>
/// <param name="Endpoints">Where clients connect.</param>
/// <param name="Database">Where the chat is stored; null without a database.</param>
/// <param name="Figures">The newest figures.</param>
internal sealed record ServerStatus(
    string Level,
    string Summary,
    IReadOnlyList<Warning> Warnings,
    string Version,
    string Mode,
    DateTimeOffset StartedAt,
    bool IsDraining,
    int MaxConnections,
    IReadOnlyList<string> Endpoints,
    string? Database,
    Figures Figures);
