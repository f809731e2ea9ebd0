using System.Net.Security;
using PlayChat.Core.Connections;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Hosting;

/// <summary>Settings of a client. Set before the first connection.</summary>
public sealed class ConnectorOptions
{
    /// <summary>Settings of the sockets.</summary>
    public TransportOptions Transport { get; set; } = new();

    /// <summary>Bounds of each connection.</summary>
    public ConnectionOptions Connections { get; set; } = new();

    /// <summary>How long connecting, with the TLS handshake, may take; 1 ms to 10 minutes. Default 10 seconds.</summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Encrypts the links: who the server must be, and what certificate is trusted. Default none: no TLS.</summary>
    public SslClientAuthenticationOptions? Tls { get; set; }

    internal void Validate()
    {
        List<string> problems = [.. Transport.Validate(nameof(Transport)), .. Connections.Validate(nameof(Connections))];
        if (ConnectTimeout < TimeSpan.FromMilliseconds(1) || ConnectTimeout > TimeSpan.FromMinutes(10))
        {
            problems.Add($"{nameof(ConnectTimeout)} is {ConnectTimeout}; allowed is 00:00:00.001 to 00:10:00.");
        }

        if (problems.Count > 0)
        {
            throw new OptionsException(problems);
        }
    }
}
