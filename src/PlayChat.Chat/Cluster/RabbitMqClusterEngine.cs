using System.Diagnostics.Metrics;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.RabbitMq;

namespace PlayChat.Chat.Cluster;

/// <summary>Directory in PostgreSQL, log in RabbitMQ.</summary>
internal sealed class RabbitMqClusterEngine : IClusterEngine
{
    private readonly ServerSettings _settings;
    private readonly ILoggerFactory _loggers;
    private readonly RabbitMqBackplaneOptions _options;

    /// <exception cref="StartException">A setting is invalid.</exception>
    public RabbitMqClusterEngine(ServerSettings settings, ILoggerFactory loggers)
    {
        _settings = settings;
        _loggers = loggers;
        _options = new RabbitMqBackplaneOptions
        {
            Endpoints = settings.RabbitMq.Endpoints.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries),
            UserName = settings.RabbitMq.User,
            Password = settings.RabbitMq.Password,
            PasswordFile = settings.RabbitMq.PasswordFile,
            UseTls = settings.RabbitMq.UseTls,
            TlsCaFile = settings.RabbitMq.TlsCaFile,
            TlsServerName = settings.RabbitMq.TlsServerName,
            VirtualHost = settings.RabbitMq.VHost,
            ShardCount = settings.Cluster.Shards,
        };
        try
        {
            _options.Validate();
        }
        catch (ArgumentException e)
        {
            throw new StartException($"A setting of RabbitMq is invalid. {e.Message}", e);
        }
    }

    public IClusterDirectory CreateDirectory() => ClusterDatabase.CreateDirectory(_settings, _loggers);

    public RoomBackplane CreateBackplane(RecordOrigin origin, IMeterFactory meters) =>
        new RabbitMqBackplane(_options, origin, _loggers, meters);
}
