namespace PlayChat.Chat.Operations;

/// <summary>Leaves signals to the chat server's own host: it stops the operations endpoint last.</summary>
internal sealed class NoLifetime : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
