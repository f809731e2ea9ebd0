using PlayChat.Tls;

namespace PlayChat.Cluster.RabbitMq;

/// <summary>Where the brokers are, how they are known, and as which user the node connects.</summary>
internal sealed class BrokerAddress
{
    private readonly ConnectionFactory _factory;
    private readonly AmqpTcpEndpoint[] _endpoints;
    private readonly string _passwordFile;

    /// <param name="options">Checked.</param>
    public BrokerAddress(RabbitMqBackplaneOptions options)
    {
        _passwordFile = options.PasswordFile;
        _endpoints = options.ParseEndpoints();
        if (options.UseTls)
        {
            _endpoints = [.. _endpoints.Zip(options.Endpoints, (endpoint, text) => WithTls(endpoint, text, options))];
        }

        _factory = new ConnectionFactory
        {
            UserName = options.UserName,
            Password = options.Password,
            VirtualHost = options.VirtualHost,
            RequestedHeartbeat = options.Heartbeat,
            // Recovery would read again from where the first subscription began.
            AutomaticRecoveryEnabled = false,
            TopologyRecoveryEnabled = false,
        };
    }

    public override string ToString() =>
        "RabbitMQ at " + string.Join(", ", _endpoints.Select(static endpoint => $"{endpoint.HostName}:{endpoint.Port}"));

    /// <summary>Connects to any of the brokers.</summary>
    /// <param name="name">Names the connection in the broker's lists.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    public async Task<IConnection> ConnectAsync(string name, CancellationToken cancellationToken)
    {
        if (_passwordFile.Length > 0)
        {
            // Each time: a new password needs no restart.
            string text = await File.ReadAllTextAsync(_passwordFile, cancellationToken).ConfigureAwait(false);
            _factory.Password = text.TrimEnd('\r', '\n');
        }

        return await _factory.CreateConnectionAsync(_endpoints, name, cancellationToken).ConfigureAwait(false);
    }

    private static AmqpTcpEndpoint WithTls(AmqpTcpEndpoint endpoint, string text, RabbitMqBackplaneOptions options) => new(
        endpoint.HostName,
        text.EndsWith($":{endpoint.Port}", StringComparison.Ordinal) ? endpoint.Port : AmqpTcpEndpoint.DefaultAmqpSslPort,
        new SslOption
        {
            Enabled = true,
            ServerName = options.TlsServerName.Length > 0 ? options.TlsServerName : endpoint.HostName,
            CertificateValidationCallback = options.TlsCaFile.Length > 0 ? PrivateAuthorities.TrustOnly(options.TlsCaFile) : null,
        });
}
