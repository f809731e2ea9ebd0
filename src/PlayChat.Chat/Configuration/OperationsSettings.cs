using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Operations</c>: the HTTP endpoint for operators and their tools.</summary>
internal sealed class OperationsSettings
{
    [Option("Whether the server listens for operators' tools: health checks, metrics and administration over HTTP.")]
    public bool Enabled { get; set; }

    [Option(
        "Where the operations endpoint listens; port 0 takes a free one. An address that other machines reach needs a certificate and a "
            + "token.",
        Required = true,
        Allowed = "IP address and port, such as 127.0.0.1:7781, [::1]:7781 or *:7781 (every address)")]
    public string Address { get; set; } = "127.0.0.1:7781";

    [Option(
        "Secret that requests carry as `Authorization: Bearer TOKEN`. Health checks need none.",
        Allowed = "at least 16 characters without spaces, or empty for none")]
    public string Token { get; set; } = "";

    [Option(
        "File whose first line is the token, used while Operations:Token is empty. The server reads it when it starts, and makes it with a "
            + "new token if it is missing.",
        Allowed = "a file, or empty for none")]
    public string TokenFile { get; set; } = "";

    public IList<OperationsKeySettings> Keys { get; } = [];

    [Option(
        "PFX file, or PEM file with the certificate and its chain: the endpoint then speaks HTTPS.",
        Allowed = "a file, or empty for none")]
    public string CertificatePath { get; set; } = "";

    [Option("PEM file with the private key, where it is not in the certificate's file.", Allowed = "a file, or empty")]
    public string KeyPath { get; set; } = "";

    [Option("Password of the PFX file or of the encrypted key.", Allowed = "text, or empty for none")]
    public string CertificatePassword { get; set; } = "";

    [Option(
        "How long a stop waits before it tells the clients. Meanwhile `/healthz/ready` answers 503 and the server still takes clients, so "
            + "that a load balancer sends new ones elsewhere. Set more than the balancer needs to notice.",
        Min = "00:00:00",
        Max = "00:10:00")]
    public TimeSpan DrainDelay { get; set; }

    /// <summary>The listening socket that the endpoint uses; <see langword="null"/> to bind <see cref="Address"/>.</summary>
    internal int? Descriptor { get; set; }
}
