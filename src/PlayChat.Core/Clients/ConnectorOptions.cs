using System.Net.Security;
using PlayChat.Core.Hosting;

namespace PlayChat.Core.Clients;

/// <summary>Settings of a client. Set before the first connection.</summary>
public sealed class ConnectorOptions
{
    /// <summary>Settings of the sockets.</summary>
    public TransportOptions Transport { get; set; } = new();

    /// <summary>Bounds of each connection.</summary>
    public ConnectionOptions Connections { get; set; } = new();

    /// <summary>How long connecting, including the TLS handshake, may take.</summary>
    [Option("How long a client may take to connect, including the TLS handshake.", Min = "00:00:00.001", Max = "00:10:00")]
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Encrypts the links: the expected name of the server, and the trusted certificates. Default none: no TLS.</summary>
    public SslClientAuthenticationOptions? Tls { get; set; }

    internal void Validate()
    {
        List<string> problems =
        [
            .. Transport.Validate(nameof(Transport)),
            .. Connections.Validate(nameof(Connections)),
            .. OptionRule.FindProblems(this, path: ""),
        ];
        if (problems.Count > 0)
        {
            throw new OptionsException(problems);
        }
    }
}
