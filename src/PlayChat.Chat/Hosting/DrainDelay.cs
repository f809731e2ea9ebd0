using PlayChat.Chat.Sessions;

namespace PlayChat.Chat.Hosting;

/// <summary>
/// The first step of a stop: for <c>Operations:DrainDelay</c> the server is not ready, but serves every client, so that load balancers send
/// new clients to other servers before it refuses them.
/// </summary>
/// <remarks>A host calls <see cref="StoppingAsync"/> before the <c>StopAsync</c> of any service.</remarks>
internal sealed class DrainDelay(
    ServerSettings settings,
    ShutdownState shutdown,
    ServerExit exit,
    IHostApplicationLifetime lifetime,
    TimeProvider time,
    ILogger<DrainDelay> logger)
    : IHostedLifecycleService
{
    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        lifetime.StopApplication(); // turns /healthz/ready to 503, if the signal has not done so
        TimeSpan delay = settings.Operations.DrainDelay;
        // A server that has lost its database stores nothing any more: each message that it still took would be lost.
        if (delay > TimeSpan.Zero && exit.Code == 0 && !shutdown.IsStopping)
        {
            ServerLog.DrainBegins(logger, delay.TotalSeconds);
            try
            {
                await Task.Delay(delay, time, cancellationToken);
            }
            catch (OperationCanceledException)
            {
                // The host's patience has ended: the stop continues without the rest of the delay.
            }
        }

        shutdown.Begin();
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
