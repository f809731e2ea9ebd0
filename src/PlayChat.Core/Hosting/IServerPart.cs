namespace PlayChat.Core.Hosting;

/// <summary>
/// A part of a server that starts before the server accepts clients, hands over what it has while the server stops, and ends last.
/// </summary>
internal interface IServerPart : IAsyncDisposable
{
    /// <summary>Starts the part. What it throws ends the server's start.</summary>
    Task StartAsync(CancellationToken cancellationToken);

    /// <summary>Hands over what it has. The rooms have run what was queued, and their members are still connected.</summary>
    Task HandOverAsync(CancellationToken cancellationToken);
}
