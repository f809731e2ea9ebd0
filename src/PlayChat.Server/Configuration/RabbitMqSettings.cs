using PlayChat.Options;

namespace PlayChat.Server.Configuration;

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

    [Option("Virtual host of the cluster's streams.", Allowed = "text")]
    public string VHost { get; set; } = "/";
}
