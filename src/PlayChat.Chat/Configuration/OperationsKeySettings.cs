using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Operations:Keys:0</c>: a key of another program for the operations endpoint.</summary>
internal sealed class OperationsKeySettings
{
    [Option(
        "Name of a program that uses the operations endpoint with a key of its own; the audit log has it. Number 0 is the first key; "
            + "others are 1, 2 and so on.",
        Allowed = "up to 64 letters, digits, dots, hyphens and underscores, or empty for no key")]
    public string Name { get; set; } = "";

    [Option(
        "SHA-256 of the key. `PlayChat.Server keys new NAME --scopes SCOPES` makes a key and prints both.",
        Allowed = "64 hexadecimal digits")]
    public string Hash { get; set; } = "";

    [Option(
        "What the key may do; docs/reference/admin-api.md has the scope of each route.",
        Allowed = "scopes such as messages.write,rooms.read, separated by commas")]
    public string Scopes { get; set; } = "";

    [Option(
        "Requests of the key in a minute, and as many at once.",
        Min = 1,
        Max = 1_000_000,
        WhenReached = "The request is answered 429 with `Retry-After`.",
        Why = "A program that runs wild would keep the server from its players.")]
    public int RequestsPerMinute { get; set; } = 600;
}
