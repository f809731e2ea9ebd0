using PlayChat.TestUtilities.Processes;

namespace PlayChat.Cluster.Tests.RabbitMq;

/// <summary>One broker for all tests of <see cref="RabbitMqCollection"/>; none where RabbitMQ is not installed.</summary>
public sealed class RabbitMqFixture : IAsyncLifetime
{
    private RabbitMqServer? _server;

    /// <inheritdoc/>
    public async ValueTask InitializeAsync()
    {
        if (RabbitMqServer.IsAvailable)
        {
            _server = await RabbitMqServer.StartNewAsync();
            await _server.PrepareStreamsAsync();
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_server is not null)
        {
            await _server.DisposeAsync();
        }
    }

    /// <summary>Makes streams that keep everything that a test writes.</summary>
    public Task<BackplaneSpace> CreateSpaceAsync() => Task.FromResult<BackplaneSpace>(new RabbitMqSpace(GetServer(), isSmall: false));

    /// <summary>Makes streams that a few megabytes trim.</summary>
    public Task<BackplaneSpace> CreateSmallSpaceAsync() => Task.FromResult<BackplaneSpace>(new RabbitMqSpace(GetServer(), isSmall: true));

    internal RabbitMqServer GetServer()
    {
        Assert.SkipUnless(RabbitMqServer.IsAvailable, RabbitMqServer.SkipReason);
        return _server!;
    }
}
