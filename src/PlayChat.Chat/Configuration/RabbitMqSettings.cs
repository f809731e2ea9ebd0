using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>RabbitMq</c>: the brokers of a cluster whose engine is RabbitMq.</summary>
internal sealed class RabbitMqSettings
{
    [Option(
        "Brokers of one RabbitMQ cluster; the node connects to any of them.",
        Allowed = "HOST or HOST:PORT, separated by commas")]
    public string Endpoints { get; set; } = "localhost:5672";

    [Option("User of the brokers. They accept guest only from their own machine.", Allowed = "text")]
    public string User { get; set; } = "guest";

    /// <summary>A secret: never logged, and never part of an error message.</summary>
    [Option("The user's password. Set it in the environment.", Allowed = "text")]
    public string Password { get; set; } = "guest";

    [Option(
        "File with the user's password, in place of RabbitMq:Password. The node reads it each time that it connects.",
        Allowed = "path, or empty")]
    public string PasswordFile { get; set; } = "";

    [Option("Encrypts the connections to the brokers, which listen for such connections at a port of their own, usually 5671.")]
    public bool UseTls { get; set; }

    [Option(
        "With RabbitMq:UseTls: authorities that sign the brokers' certificates; no others are trusted.",
        Allowed = "path of a PEM file, or empty for those that the system trusts")]
    public string TlsCaFile { get; set; } = "";

    [Option(
        "With RabbitMq:UseTls: the name in the brokers' certificates.",
        Allowed = "a name; empty: the host of the endpoint")]
    public string TlsServerName { get; set; } = "";

    [Option("Virtual host of the cluster's streams.", Allowed = "text")]
    public string VHost { get; set; } = "/";
}
